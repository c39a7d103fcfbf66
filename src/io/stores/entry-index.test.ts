import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContext, entryKeyText } from '../../core/model/entry-key.ts';
import type { ContextClass, DecisionRecord } from '../../core/model/record.ts';
import { scratch } from '../files/scratch.cases.ts';
import { type EntryIndex, entryDigest, type OpenIndexOptions, openIndex } from './entry-index.ts';
import { untrustedLines } from './index-rows.ts';
import { saveDecision } from './rules-change.ts';
import { projectRules, type RulesLocation, repositoryUserRules, userRules } from './rules-location.ts';
import { noon, record } from './stores.cases.ts';

const key = new Uint8Array(32).fill(3);
const everything = { isTrusted: () => true, trustSignature: () => 'all' };
const nothing = { isTrusted: () => false, trustSignature: () => 'none' };

interface Setup {
  readonly state: string;
  readonly root: string;
  readonly open: (location: RulesLocation, change?: Partial<OpenIndexOptions>) => EntryIndex;
}

const setup = (): Setup => {
  const top = scratch();
  const state = join(top, 'state');
  mkdirSync(join(top, 'repo'));
  const open: Setup['open'] = (location, change) =>
    openIndex({ location, state, key, now: noon, trust: everything, ...change });
  return { state, root: join(top, 'repo'), open };
};

const write = (location: RulesLocation, records: readonly object[], verdict = 'allow'): string => {
  const path = location.files.find((file) => (file.verdict ?? verdict) === verdict)?.path ?? '';
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, records.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  return path;
};

const digestOf = (input: string, context: ContextClass | typeof anyContext = 'root', tool = 'Bash'): string =>
  entryDigest(key, entryKeyText({ tool, input, context }));

/** The verdicts found, in short. */
const verdicts = (index: EntryIndex, ...digests: string[]): string => {
  const found = index.find(digests).map((entry) => `${entry.verdict}:${entry.role}`);
  index.close();
  return found.join(' ');
};

describe('the entry index', () => {
  it('answers from the index once it was built, with everything the record says', () => {
    const { open, root } = setup();
    const location = projectRules(root);
    const path = write(location, [
      record({ input: 'other' }),
      record({ tool: 'Write', input: 'a.txt', change: 'create' }),
    ]);
    const steps = ['rebuilt', 'index', 'index'].map((answeredBy) => {
      const index = open(location);
      const [entry, ...more] = index.find([digestOf('a.txt', 'root', 'Write')]);
      index.close();
      expect([index.answeredBy, more, index.problems, index.untrusted]).toEqual([answeredBy, [], [], 0]);
      return entry;
    });
    const expected = {
      verdict: 'allow',
      scope: 'project',
      tier: 'Human',
      tool: 'Write',
      role: 'tester',
      change: 'create',
      source: { file: path, line: 2 },
    };
    expect(steps).toEqual([expected, expected, expected]);
  });

  it('returns every entry of one call, and none of another', () => {
    const { open, root } = setup();
    const location = projectRules(root);
    write(location, [record(), record({ role: 'docs' })]);
    write(location, [record({ role: '*' }), record({ input: 'pytest' })], 'deny');
    expect(verdicts(open(location), digestOf('pytest --cov'))).toBe(verdicts(open(location), digestOf('pytest --cov')));
    expect(verdicts(open(location), digestOf('pytest --cov')).split(' ').sort()).toEqual([
      'allow:docs',
      'allow:tester',
      'deny:*',
    ]);
    expect(verdicts(open(location), digestOf('pytest --co'), 'not a digest', '')).toBe('');
  });

  it('notices every change of the text', () => {
    const { open, root } = setup();
    const location = projectRules(root);
    const path = write(location, [record()]);
    const look = (): string =>
      `${open(location).answeredBy} ${verdicts(open(location), digestOf('pytest --cov'), digestOf('pytest --COV'))}`;
    expect(look()).toBe('rebuilt allow:tester');
    const { mtime } = statSync(path);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"allow"', '"deny" '));
    utimesSync(path, mtime, mtime);
    expect(look()).toBe('rebuilt deny:tester');
    write(location, [record({ input: 'pytest --COV', role: 'x' })], 'ask');
    expect(look()).toBe('rebuilt deny:tester ask:x');
    rmSync(path);
    expect(look()).toBe('rebuilt ask:x');
    expect(look()).toBe('index ask:x');
  });

  it('serves an answer right after it was saved', () => {
    const { open, root, state } = setup();
    const location = projectRules(root);
    for (const decision of ['allow', 'deny', 'ask', 'allow'] as const) {
      saveDecision(location, record({ decision }), { state });
      expect(verdicts(open(location), digestOf('pytest --cov'))).toBe(`${decision}:tester`);
    }
  });

  const trustCases: [
    name: string,
    location: (root: string) => RulesLocation,
    line: DecisionRecord,
    untrusted: string,
    trusted: string,
  ][] = [
    ['a project allow', projectRules, record(), '', 'allow:tester'],
    ['a project allow for every role', projectRules, record({ role: '*' }), '', ''],
    ['a project allow outside the project', projectRules, record({ context: 'outside' }), '', ''],
    ['a project deny for every role', projectRules, record({ role: '*', decision: 'deny' }), 'deny:*', 'deny:*'],
    ['a project ask', projectRules, record({ decision: 'ask' }), 'ask:tester', 'ask:tester'],
    ['an allow in the personal file of the repository', repositoryUserRules, record(), '', 'allow:tester'],
    [
      'a deny in the personal file of the repository',
      repositoryUserRules,
      record({ decision: 'deny' }),
      'deny:tester',
      'deny:tester',
    ],
    ['an allow of the user', (root) => userRules(join(root, '../config')), record({ role: '*' }), 'allow:*', 'allow:*'],
  ];
  it.each(trustCases)('asks for trust where it must: %s', (_name, locationOf, line, untrusted, trusted) => {
    const { open, root } = setup();
    const location = locationOf(root);
    write(location, [line], line.decision);
    const wanted = [digestOf('pytest --cov'), digestOf('pytest --cov', 'outside')];
    expect(verdicts(open(location, { trust: nothing }), ...wanted)).toBe(untrusted);
    expect(verdicts(open(location, { trust: everything }), ...wanted)).toBe(trusted);
    expect(verdicts(open(location, { trust: nothing }), ...wanted)).toBe(untrusted);
    expect(verdicts(openIndex({ location, state: join(root, '../other'), key, now: noon }), ...wanted)).toBe(untrusted);
  });

  it('lists what trust would let in', () => {
    const { root } = setup();
    const location = projectRules(root);
    write(location, [record(), record({ role: '*' }), record({ pattern: { command: 'make *' } })]);
    write(location, [record()], 'deny');
    const lines = untrustedLines(location, () => false);
    expect(lines.map(({ statement, source }) => `${source.line} ${statement}`)).toEqual([
      '1 allows tester: Bash pytest --cov',
      '3 allows tester: Bash matching {"command":"make *"}',
    ]);
    expect(untrustedLines(location, (digest) => digest === lines[0]?.digest)).toHaveLength(1);
  });

  it('lets entries end in time', () => {
    const { open, root } = setup();
    const location = projectRules(root);
    const ends = (offset: number): string => new Date(noon + offset).toISOString();
    write(location, [
      record({ expires_at: ends(0) }),
      record({ role: 'b', expires_at: ends(1) }),
      record({ role: 'c', pattern: { tool: 'x' }, expires_at: ends(1) }),
    ]);
    for (const _ of [1, 2]) expect(verdicts(open(location), digestOf('pytest --cov'))).toBe('allow:b');
    const later = open(location, { now: noon + 1 });
    expect([later.overrides, verdicts(later, digestOf('pytest --cov'))]).toEqual([[], '']);
    expect(open(location).overrides).toMatchObject([{ role: 'c', pattern: { tool: 'x' } }]);
  });

  it('finds old entries without a context: restrictions anywhere, allows at the root', () => {
    const { open, root } = setup();
    const location = projectRules(root);
    const { context: _, ...plain } = record();
    write(location, [plain]);
    write(location, [{ ...plain, decision: 'deny', key: { ...plain.key, role: 'x' } }], 'deny');
    expect(verdicts(open(location), digestOf('pytest --cov')).split(' ').sort()).toEqual(['allow:tester', 'deny:x']);
    expect(verdicts(open(location), digestOf('pytest --cov', anyContext))).toBe('deny:x');
    expect(verdicts(open(location), digestOf('pytest --cov', 'outside'))).toBe('');
  });

  it('finds lossy entries by their own digest', () => {
    const { open, root } = setup();
    const location = repositoryUserRules(root);
    const digest = digestOf('the real call');
    write(location, [
      record({ lossy: true, digest }),
      record({ lossy: true, input: 'x' }),
      record({ lossy: true, input: 'y', decision: 'deny' }),
    ]);
    expect(verdicts(open(location), digest, digestOf('pytest --cov'), digestOf('x'), digestOf('y'))).toBe(
      'allow:tester deny:tester',
    );
    expect(open(location).problems).toMatchObject([{ line: 2, reason: expect.stringMatching(/without the digest/) }]);
  });

  it('is rebuilt for another key, and reports skipped lines from the index too', () => {
    const { open, root } = setup();
    const location = projectRules(root);
    const path = write(location, [record()]);
    writeFileSync(path, 'nonsense\n', { flag: 'a' });
    for (const answeredBy of ['rebuilt', 'index']) {
      expect(open(location)).toMatchObject({ answeredBy, problemCount: 1, problems: [{ file: path, line: 2 }] });
    }
    const otherKey = new Uint8Array(32).fill(4);
    expect(open(location, { key: otherKey }).answeredBy).toBe('rebuilt');
    expect(verdicts(open(location, { key: otherKey }), digestOf('pytest --cov'))).toBe('');
  });

  it('reads the text where no index can be written', () => {
    const { open, root, state } = setup();
    const location = projectRules(root);
    write(location, [record()]);
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'index'), 'in the way');
    const index = open(location);
    expect([index.answeredBy, index.notWritten, verdicts(index, digestOf('pytest --cov'))]).toEqual([
      'parsed',
      expect.stringMatching(/not a directory/),
      'allow:tester',
    ]);
  });

  it('throws when the rules themselves cannot be read', () => {
    const { open, root } = setup();
    const location = userRules(join(root, '../config'));
    chmodSync(write(location, [record()]), 0o666);
    expect(() => open(location)).toThrow(/can be written by other users/);
  });

  it('never believes a damaged index', () => {
    const { open, root, state } = setup();
    const location = projectRules(root);
    const inputs = Array.from({ length: 40 }, (_, number) => `run ${number}`);
    write(
      location,
      inputs.map((input) => record({ input })),
    );
    write(
      location,
      inputs.map((input) => record({ input, role: '*' })),
      'deny',
    );
    open(location).close();
    const file = join(state, 'index', readdirSync(join(state, 'index')).find((name) => name.endsWith('.idx')) ?? '');
    const whole = readFileSync(file);
    const damage = fc.oneof(
      fc.record({
        kind: fc.constant('flip' as const),
        position: fc.nat(whole.length - 1),
        value: fc.integer({ min: 1, max: 255 }),
      }),
      fc.record({ kind: fc.constant('cut' as const), position: fc.nat(whole.length - 1), value: fc.constant(0) }),
      fc.record({ kind: fc.constant('zero' as const), position: fc.nat(whole.length - 1), value: fc.nat(200) }),
      fc.record({ kind: fc.constant('swap' as const), position: fc.nat(38), value: fc.constant(0) }),
    );
    fc.assert(
      fc.property(damage, fc.nat(39), ({ kind, position, value }, wanted) => {
        let changed = Buffer.from(whole);
        if (kind === 'flip') changed[position] = (changed[position] ?? 0) ^ value;
        if (kind === 'cut') changed = changed.subarray(0, position);
        if (kind === 'zero') changed.fill(0, position, Math.min(whole.length, position + value));
        if (kind === 'swap') {
          const start = whole.length - 56 * (position + 2);
          whole.copy(changed, start, start + 56, start + 112);
        }
        writeFileSync(file, changed, { mode: 0o600 });
        const found = verdicts(open(location), digestOf(`run ${wanted}`))
          .split(' ')
          .sort();
        expect(found).toEqual(['allow:tester', 'deny:*']);
        expect(verdicts(open(location), digestOf('run x'))).toBe('');
      }),
      { numRuns: 120 },
    );
  });
});
