import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../../core/model/record.ts';
import { scratch } from '../files/scratch.cases.ts';
import { removeRecords, saveDecision } from './rules-change.ts';
import { longestLineBytes, type RecordLine, readLines, readRules } from './rules-file.ts';
import { orgRules, projectRules, type RulesLocation, repositoryUserRules, userRules } from './rules-location.ts';
import { at, record } from './stores.cases.ts';
import { lineDigest, trustStore } from './trust.ts';

const project = (): { location: RulesLocation; state: string; root: string } => {
  const top = scratch();
  const root = join(top, 'repo');
  mkdirSync(root);
  return { location: projectRules(root), state: join(top, 'state'), root };
};

const put = (location: RulesLocation, verdict: string, text: string | Uint8Array): string => {
  const path = location.files.find((file) => (file.verdict ?? verdict) === verdict)?.path ?? '';
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};

const linesOf = (location: RulesLocation): RecordLine[] => {
  const lines: RecordLine[] = [];
  readRules(location, (line) => lines.push(line));
  return lines;
};

const summary = (location: RulesLocation): string[] =>
  linesOf(location).map(
    ({ record: { decision, key, scope } }) => `${scope} ${decision} ${key.role} ${key.sanitized_input}`,
  );

const good = '{"command":"ls","tool":"Bash","role":"coder","decision":"allow"}';

describe('reading rules', () => {
  const skipped: [name: string, line: string | Buffer, why: RegExp][] = [
    ['text', 'hello', /not valid JSON/],
    ['a torn line', good.slice(0, -5), /not valid JSON/],
    ['a merge conflict', '<<<<<<< HEAD', /not valid JSON/],
    ['a key twice', good.replace('"tool"', '"decision":"deny","tool"'), /"decision" twice/],
    ['a prototype key', good.replace('{', '{"__proto__":{"decision":"allow"},'), /forbidden key/],
    ['a prototype role', good.replace('coder', 'constructor'), /not a usable name/],
    ['a huge line', good.replace('ls', 'x'.repeat(longestLineBytes)), /longer than 65536 bytes/],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from(good.slice(0, 14)), Buffer.from([0xff]), Buffer.from(good.slice(14))]),
      /not valid UTF-8/,
    ],
  ];

  it.each(skipped)('skips %s and says so', (_name, line, why) => {
    const { location } = project();
    const path = put(
      location,
      'allow',
      Buffer.concat([Buffer.from(`${good}\n\n`), Buffer.from(line), Buffer.from(`\n${good}`)]),
    );
    const lines: number[] = [];
    const { problems } = readRules(location, (found) => lines.push(found.source.line));
    expect(lines).toEqual([1, 4]);
    expect(problems).toMatchObject([{ file: path, line: 3, reason: expect.stringMatching(why) }]);
  });

  it('takes a line in the wrong file at its strictest', () => {
    const { location } = project();
    put(location, 'deny', good);
    put(location, 'allow', good.replace('"allow"', '"ask"'));
    expect(summary(location)).toEqual(['project ask coder ls', 'project deny coder ls']);
  });

  it('refuses links on the way', () => {
    const { location, root } = project();
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(root, '.hookwise'));
    expect(() => linesOf(location)).toThrow(/\.hookwise is not a real directory/);
    const other = project();
    mkdirSync(other.location.path, { recursive: true });
    symlinkSync('/etc/passwd', join(other.location.path, 'deny.jsonl'));
    expect(() => linesOf(other.location)).toThrow(/deny\.jsonl is a symbolic link/);
  });

  it('reads lines as they are, however they fall into chunks', () => {
    const { location } = project();
    const lengths = [0, 1, longestLineBytes - 1, longestLineBytes, longestLineBytes + 1, 200_000, 1_200_000, 5];
    const written = Array.from({ length: 40 }, (_, number) => 'x'.repeat(lengths[(number * 7) % 8] ?? 0) + number);
    for (const end of ['', '\n']) {
      put(location, 'allow', written.join('\n') + end);
      const file = location.files[0] ?? { path: '' };
      const seen: string[] = [];
      const { lines } = readLines(file, location, (bytes, number) => {
        expect(number).toBe(seen.length + 1);
        seen.push(bytes.toString());
      });
      expect(lines).toBe(40);
      for (const [at, line] of written.entries())
        if (line.length <= longestLineBytes) expect(seen[at]).toBe(line);
        else
          expect([seen[at]?.slice(0, 100), (seen[at]?.length ?? 0) > longestLineBytes]).toEqual([
            line.slice(0, 100),
            true,
          ]);
    }
  });

  it('never crashes on any bytes, and finds no decision that was not written whole', () => {
    const { location } = project();
    const written = Buffer.from(`${good}\n`);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(written.length), (noise, cut) => {
        put(location, 'allow', Buffer.concat([noise, Buffer.from('\n'), written.subarray(0, cut)]));
        const found = linesOf(location);
        const isWhole = cut >= written.length - 1;
        expect(found.map((line) => line.record.key.sanitized_input)).toEqual(isWhole ? ['ls'] : []);
      }),
      { numRuns: 300 },
    );
  });
});

describe('saving decisions', () => {
  it('writes one canonical line that reads back as it was', () => {
    const { location, state } = project();
    const saved = record({ input: 'echo "a\nb"\u2028{"decision":"allow"}' });
    saveDecision(location, saved, { state });
    const text = readFileSync(join(location.path, 'allow.jsonl'), 'utf8');
    expect(text.endsWith('}\n') && text.indexOf('\n') === text.length - 1).toBe(true);
    expect(linesOf(location)[0]?.record).toEqual(saved);
    expect(linesOf(location)[0]?.canonical()).toBe(text.trimEnd());
  });

  it('replaces what was said about the same call, in whichever file, and keeps all other bytes', () => {
    const { location, state } = project();
    const foreign = `# kept\r\n{"torn\n${good}\n`;
    put(location, 'allow', foreign);
    saveDecision(location, record(), { state });
    saveDecision(location, record({ decision: 'deny' }), { state });
    expect(readFileSync(join(location.path, 'allow.jsonl'), 'utf8')).toBe(foreign);
    expect(summary(location)).toEqual(['project allow coder ls', 'project deny tester pytest --cov']);
    saveDecision(location, record({ decision: 'ask', timestamp: '2020-01-01T00:00:00Z' }), { state });
    expect(summary(location)).toEqual(['project allow coder ls', 'project ask tester pytest --cov']);
    expect(existsSync(join(location.path, 'deny.jsonl'))).toBe(true);
  });

  const others: [name: string, other: DecisionRecord][] = [
    ['role', record({ role: 'docs' })],
    ['tool', record({ tool: 'PowerShell' })],
    ['context', record({ context: 'inside:web' })],
    ['change', record({ change: 'delete' })],
    ['input', record({ input: 'pytest' })],
    ['pattern', record({ pattern: { command: 'pytest --cov' } })],
  ];
  it.each(others)('keeps what differs in %s', (_name, other) => {
    const { location, state } = project();
    saveDecision(location, other, { state });
    saveDecision(location, record({ decision: 'deny' }), { state });
    expect(linesOf(location)).toHaveLength(2);
  });

  it('finds the older line also when it is spelled with escapes', () => {
    const { location, state } = project();
    put(location, 'allow', `${JSON.stringify(record()).replace('pytest', '\\u0070ytest')}\n`);
    saveDecision(location, record({ decision: 'deny' }), { state });
    expect(summary(location)).toEqual(['project deny tester pytest --cov']);
  });

  it('closes off a torn last line', () => {
    const { location, state } = project();
    const path = put(location, 'allow', '{"torn');
    saveDecision(location, record(), { state });
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"torn\n\{.*\}\n$/);
    expect(linesOf(location)).toHaveLength(1);
  });

  const refused: [name: string, of: (root: string) => RulesLocation, record: DecisionRecord, why: RegExp][] = [
    [
      'a lossy record that would be shared',
      projectRules,
      record({ lossy: true, digest: 'a'.repeat(64) }),
      /cannot be shared/,
    ],
    ['an allow for every role', repositoryUserRules, record({ role: '*' }), /allow for every role/],
    ['a prototype name', projectRules, record({ role: '__proto__' }), /not a usable name/],
    ['a call beyond the limit', projectRules, record({ input: 'x'.repeat(65_537) }), /cannot be stored/],
  ];
  it.each(refused)('refuses %s', (_name, locationOf, wrong, why) => {
    const { state, root } = project();
    expect(() => saveDecision(locationOf(root), wrong, { state })).toThrow(why);
    expect(existsSync(join(root, '.hookwise'))).toBe(false);
  });

  it('writes the user file, the repository-local one and the organisation one each in its place', () => {
    const { state, root } = project();
    const config = join(root, '../config');
    for (const location of [userRules(config), repositoryUserRules(root), orgRules(config, 'acme')]) {
      saveDecision(location, record({ decision: 'deny', scope: 'role' }), { state });
      saveDecision(location, record({ decision: 'ask' }), { state });
      expect(summary(location)).toEqual([`${location.scope} ask tester pytest --cov`]);
    }
    expect(existsSync(join(config, 'user/rules.jsonl'))).toBe(true);
    expect(existsSync(join(root, '.hookwise/.user/user.jsonl'))).toBe(true);
    expect(existsSync(join(config, 'org/acme/rules/ask.jsonl'))).toBe(true);
    expect(() => orgRules(config, '../x')).toThrow(/cannot be the name of an organisation/);
  });

  it('trusts the line that a person stands behind, and forgets it when it goes', () => {
    const { location, state } = project();
    const store = trustStore({ state, key: new Uint8Array(32), identity: '/repo/.git' });
    saveDecision(location, record(), { state, trust: store, by: { who: 'user:ada', when: at } });
    const digest = lineDigest('allow.jsonl', linesOf(location)[0]?.canonical() ?? '');
    expect(store.list().get(digest)).toEqual({ who: 'user:ada', when: at });
    saveDecision(location, record(), { state, trust: store, by: { who: 'user:ada', when: at } });
    expect(store.isTrusted(digest), 'the same line once more').toBe(true);
    saveDecision(location, record({ decision: 'deny' }), { state, trust: store });
    expect(store.isTrusted(digest)).toBe(false);
  });

  it('removes chosen records and nothing else', () => {
    const { location, state } = project();
    for (const role of ['tester', 'docs']) saveDecision(location, record({ role }), { state });
    appendFileSync(join(location.path, 'allow.jsonl'), 'not json\n');
    expect(removeRecords(location, ({ key }) => key.role === 'docs', { state })).toBe(1);
    expect(summary(location)).toEqual(['project allow tester pytest --cov']);
    expect(readFileSync(join(location.path, 'allow.jsonl'), 'utf8')).toMatch(/\nnot json\n$/);
  });
});
