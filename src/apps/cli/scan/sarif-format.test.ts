import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../../core/model/strict-json.ts';
import { emptyIgnoreList } from '../../../io/scan/allowances.ts';
import { fileScanner } from '../../../io/scan/file-scan.ts';
import { fakeKey, fakes } from '../../../io/scan/scan-sandbox.cases.ts';
import type { Visited } from '../../../io/scan/visit.ts';
import { version } from '../version.ts';
import { type Report, reportOf } from './report.ts';
import { sarifLog } from './sarif-format.ts';

type Check = (value: unknown, at: string) => string[];

const check =
  (holds: (value: unknown) => boolean): Check =>
  (value, at) =>
    holds(value) ? [] : [`${at}: ${JSON.stringify(value)}`];
const text = check((value) => typeof value === 'string');
const whole = (least: number): Check => check((value) => Number.isInteger(value) && Number(value) >= least);
const oneOf = (...values: unknown[]): Check => check((value) => values.includes(value));
const uri = check((value) => typeof value === 'string' && /^(?:[A-Za-z0-9._~/:-]|%[0-9A-F]{2})+$/.test(value));
const list =
  (item: Check): Check =>
  (value, at) =>
    Array.isArray(value) ? value.flatMap((each, index) => item(each, `${at}[${index}]`)) : [`${at}: no list`];

/** An object with these properties and no other, as SARIF's schema has it; those in `required` must be there. */
const object =
  (required: Record<string, Check>, optional: Record<string, Check> = {}): Check =>
  (value, at) => {
    if (!isJsonObject(value)) return [`${at}: no object`];
    const known = { ...required, ...optional };
    return [
      ...Object.keys(required).flatMap((name) => (name in value ? [] : [`${at}.${name}: missing`])),
      ...Object.entries(value).flatMap(
        ([name, each]) => known[name]?.(each, `${at}.${name}`) ?? [`${at}.${name}: unknown`],
      ),
    ];
  };

const message = object({ text });
const level = oneOf('none', 'note', 'warning', 'error');
const region = object({}, { startLine: whole(1), startColumn: whole(1), endLine: whole(1), endColumn: whole(1) });
const artifact = object({}, { uri, uriBaseId: text });
const location = object({}, { physicalLocation: object({ artifactLocation: artifact }, { region }) });
const rule = object(
  { id: text },
  {
    shortDescription: message,
    help: message,
    defaultConfiguration: object({}, { level }),
    properties: object({}, { tags: list(text) }),
  },
);
const result = object(
  { message },
  {
    ruleId: text,
    ruleIndex: whole(-1),
    level,
    locations: list(location),
    partialFingerprints: object({}, { 'hookwiseSecret/v1': text }),
  },
);
const run = object(
  { tool: object({ driver: object({ name: text }, { version: text, rules: list(rule) }) }) },
  {
    columnKind: oneOf('utf16CodeUnits', 'unicodeCodePoints'),
    invocations: list(
      object(
        { executionSuccessful: oneOf(true, false) },
        { exitCode: whole(0), toolExecutionNotifications: list(object({ message }, { level })) },
      ),
    ),
    results: list(result),
  },
);
const log = object({ version: oneOf('2.1.0'), runs: list(run) }, { $schema: uri });

const scan = fileScanner();
const visited = (name: string | Buffer, content: string): Visited => ({
  shown: Buffer.from(name),
  name: Buffer.from(name),
  kind: 'file',
  scanned: scan({
    name: String(name),
    isRules: false,
    bytes: content.length,
    pieces: () => [Buffer.from(content)],
  }),
});
const report = (...all: Visited[]): Report =>
  reportOf(all, { ignore: emptyIgnoreList, ignoreFile: Buffer.from('.hookwise/scan-ignore') });

const firstRun = (made: Report) => {
  const value: unknown = JSON.parse(JSON.stringify(sarifLog(made)));
  expect(log(value, 'log')).toEqual([]);
  if (!isJsonObject(value) || !Array.isArray(value['runs'])) throw new Error('no runs');
  return value['runs'][0];
};

interface ResultJson {
  readonly locations: readonly [
    { readonly physicalLocation: { readonly artifactLocation: unknown; readonly region: unknown } },
  ];
  readonly partialFingerprints: { readonly 'hookwiseSecret/v1': string };
}

describe('a SARIF log', () => {
  const key = fakeKey();
  const made = report(
    visited('src/a b.ts', `𝄞 '${fakes.github}'\nconst t = "${fakes.github}";\n`),
    visited('keys/id.pem', key),
    visited(Buffer.from([0x63, 0xe9]), fakes.aws),
    visited('/tmp/x.txt', fakes.aws),
  );

  it('names the tool, its version and the rules that found something', () => {
    const { driver } = firstRun(made).tool;
    expect(driver).toMatchObject({ name: 'hookwise', version });
    expect(driver.rules.map(({ id }: { id: string }) => id)).toEqual(['aws-access-key', 'github-pat', 'private-key']);
  });

  it('places each result, columns in UTF-16 code units, the last one behind the secret', () => {
    const { results, columnKind, tool } = firstRun(made);
    expect(columnKind).toBe('utf16CodeUnits');
    const regions = results.map((one: ResultJson) => one.locations[0].physicalLocation.region);
    expect(regions.slice(0, 3)).toEqual([
      { startLine: 1, startColumn: 5, endLine: 1, endColumn: 45 },
      { startLine: 2, startColumn: 12, endLine: 2, endColumn: 52 },
      { startLine: 1, startColumn: 1, endLine: 7, endColumn: expect.any(Number) },
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });

  it('names files from the top of the repository, byte for byte, and others in full', () => {
    const locations = firstRun(made).results.map(
      (one: ResultJson) => one.locations[0].physicalLocation.artifactLocation,
    );
    expect(locations).toEqual([
      { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' },
      { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' },
      { uri: 'keys/id.pem', uriBaseId: '%SRCROOT%' },
      { uri: 'c%E9', uriBaseId: '%SRCROOT%' },
      { uri: 'file:///tmp/x.txt' },
    ]);
  });

  it('has fingerprints that differ, and nothing of a secret anywhere', () => {
    const { results } = firstRun(made);
    const prints = results.map((one: ResultJson) => one.partialFingerprints['hookwiseSecret/v1']);
    expect(new Set(prints).size).toBe(prints.length);
    const whole = JSON.stringify(sarifLog(made));
    for (const secret of [fakes.github, fakes.aws, key.split('\n')[1]!])
      for (let at = 4; at + 6 <= secret.length; at += 1) expect(whole).not.toContain(secret.slice(at, at + 6));
  });

  it('says what was not looked at', () => {
    const at = { shown: Buffer.from('a'), name: Buffer.from('a') };
    const made = report({ ...at, kind: 'unreadable', why: 'no' }, { ...at, kind: 'skipped', why: 'too large' });
    expect(firstRun(made).invocations).toEqual([
      {
        executionSuccessful: false,
        exitCode: 2,
        toolExecutionNotifications: [
          { level: 'error', message: { text: 'a was not scanned: no' } },
          { level: 'warning', message: { text: 'a was not scanned: too large' } },
        ],
      },
    ]);
  });

  it('is a log too when nothing was found', () => expect(firstRun(report()).results).toEqual([]));
});
