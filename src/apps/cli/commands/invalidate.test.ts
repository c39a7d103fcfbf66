import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../core/engine/canonical-json.ts';
import { agent, type CliSandbox, script, verdictOf, within } from '../cli-sandbox.cases.ts';
import { entry } from '../tidy.cases.ts';

const files = {
  allow: 'repo/.hookwise/rules/allow.jsonl',
  deny: 'repo/.hookwise/rules/deny.jsonl',
  here: 'repo/.hookwise/.user/user.jsonl',
  user: 'own/config/user/rules.jsonl',
  org: 'own/config/org/acme/rules/allow.jsonl',
} as const;

/** One record of two roles in each place. */
const fill = async (sandbox: CliSandbox): Promise<void> => {
  sandbox.write('own/config/config.yml', 'default_org: acme\n');
  const places = [
    ['--allow'],
    ['--deny'],
    ['--allow', '--here'],
    ['--allow', '--scope', 'user'],
    ['--allow', '--scope', 'org'],
  ];
  for (const role of ['tester', 'coder'])
    for (const [number, place] of places.entries())
      await sandbox.run(['override', '--role', role, '--command', `make ${number}`, ...place]);
};

const counts = (sandbox: CliSandbox): Record<string, number> =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, sandbox.records(file).length]));

const full = { allow: 2, deny: 2, here: 2, user: 2, org: 2 };

describe.concurrent('hookwise invalidate', () => {
  it.each<[string, Partial<typeof full>, number, number]>([
    ['--role tester', { allow: 1, here: 1, user: 1 }, 3, 1],
    ['--role tester --include-restrictive', { allow: 1, deny: 1, here: 1, user: 1 }, 4, 0],
    ['--all', { allow: 0, here: 0, user: 0 }, 6, 2],
    ['--all --include-restrictive', { allow: 0, deny: 0, here: 0, user: 0 }, 8, 0],
    ['--scope project', { allow: 0 }, 2, 2],
    ['--scope user', { here: 0, user: 0 }, 4, 0],
    ['--scope org --role coder', { org: 1 }, 1, 0],
    ['--scope org --all', { org: 0 }, 2, 0],
  ])(
    '%s',
    within(async (sandbox, options, left, removed, kept) => {
      await fill(sandbox);
      const { code, out, err } = await sandbox.run(['invalidate', ...options.split(' '), '--yes']);
      expect({ code, err }).toEqual({ code: 0, err: [] });
      expect(counts(sandbox)).toEqual({ ...full, ...left });
      expect(out).toContain(`Removed ${removed} record${removed === 1 ? '' : 's'}.`);
      expect(out.join('\n').includes(`Kept ${kept} record`)).toBe(kept > 0);
    }),
  );

  it(
    'reports file by file, and the calls are judged anew',
    within(async (sandbox) => {
      await fill(sandbox);
      expect(await verdictOf(sandbox, { command: 'make 0' })).toBe('allow override.project');
      const { out } = await sandbox.run(['invalidate', '--role', 'tester', '--yes']);
      expect(out).toEqual([
        `${sandbox.at(files.allow)}: removed 1 (1 override), kept 0`,
        `${sandbox.at(files.deny)}: removed 0, kept 1`,
        `${sandbox.at(files.here)}: removed 1 (1 override), kept 0`,
        `${sandbox.at(files.user)}: removed 1 (1 override), kept 0`,
        'Removed 3 records.',
        'Kept 1 record that denies or asks: --include-restrictive removes it as well.',
      ]);
      expect(await verdictOf(sandbox, { command: 'make 0' })).toBe('deny human.undecided');
      expect(await verdictOf(sandbox, { command: 'make 1' })).toBe('deny override.project');
    }),
  );

  it(
    'takes the trust along, so that a line that comes back does not count',
    within(async (sandbox) => {
      await fill(sandbox);
      const line = sandbox.read(files.allow);
      await sandbox.run(['invalidate', '--all', '--yes']);
      sandbox.write(files.allow, line);
      expect(await verdictOf(sandbox, { command: 'make 0' })).toBe('deny human.undecided');
    }),
  );

  it(
    'says what would go, and removes nothing after a no',
    within(async (sandbox) => {
      await fill(sandbox);
      const lines = [
        entry({ input: 'cargo test <ANY:name>', slots: ['name'] }),
        entry({ input: 'old', expires_at: new Date(sandbox.now() - 1).toISOString() }),
      ];
      sandbox.write(files.user, sandbox.read(files.user) + lines.map((line) => `${canonicalJson(line)}\n`).join(''));
      const refused = await sandbox.run(['invalidate', '--role', 'tester']);
      expect(refused).toMatchObject({
        code: 1,
        out: ['Nothing was removed.'],
        asked: ['Remove 5 records (3 overrides, 1 for every call of a shape, 1 expired) from 3 files?'],
      });
      expect(counts(sandbox)).toEqual({ ...full, user: 4 });
      const { code, out } = await sandbox.run(['invalidate', '--role', 'tester'], { yes: true });
      expect([code, out[3]]).toEqual([
        0,
        `${sandbox.at(files.user)}: removed 3 (1 override, 1 for every call of a shape, 1 expired), kept 0`,
      ]);
    }),
  );

  it(
    'keeps what it does not understand, and touches nothing where there is nothing',
    within(async (sandbox) => {
      expect(await sandbox.run(['invalidate', '--all'])).toMatchObject({ code: 0, out: ['Nothing was removed.'] });
      expect(() => sandbox.read('repo/.hookwise')).toThrow(/ENOENT/);
      sandbox.write(files.allow, 'not a record\n');
      await sandbox.run(['invalidate', '--all', '--yes']);
      expect(sandbox.read(files.allow)).toBe('not a record\n');
    }),
  );

  it.each([
    ['', 2, /say what to drop/],
    ['--include-restrictive', 2, /say what to drop/],
    ['--all --role coder', 2, /contradict/],
    ['--scope role', 2, /nothing is stored at role scope/],
    ['--scope org', 1, /no organisation is configured/],
    ['--role nobody', 1, /^role not found: nobody/],
  ])(
    'refuses %j',
    within(async (sandbox, options, code, message) => {
      const ran = await sandbox.run(['invalidate', ...options.split(' ').filter((word) => word !== '')]);
      expect(ran.code).toBe(code);
      expect(ran.err.join('\n')).toMatch(message);
    }),
  );

  it.each([agent('s-1'), script])(
    'is for a person only: %j',
    within(async (sandbox, caller) => {
      await fill(sandbox);
      expect(await sandbox.run(['invalidate', '--all'], { caller })).toMatchObject({ code: 1, out: [] });
      expect(counts(sandbox)).toEqual(full);
    }),
  );
});
