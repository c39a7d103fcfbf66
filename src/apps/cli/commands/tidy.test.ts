import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../core/engine/canonical-json.ts';
import type { DecisionRecord } from '../../../core/model/record.ts';
import { recordFromJson } from '../../../core/model/record-from-json.ts';
import { lineDigest } from '../../compose.ts';
import { agent, type CliSandbox, script, within } from '../cli-sandbox.cases.ts';
import { entry, places } from '../tidy.cases.ts';

const day = 86_400_000;

const trustedBy = { who: 'user:ada', when: '2026-03-01T12:00:00.000Z' };

/** Writes lines and trusts what is meant to be trusted. */
const put = (sandbox: CliSandbox, file: string, lines: readonly (DecisionRecord | string)[], trusted = true): void => {
  const texts = lines.map((line) => (typeof line === 'string' ? line : canonicalJson(line)));
  sandbox.write(file, texts.map((text) => `${text}\n`).join(''));
  const digests = lines.flatMap((line) => (typeof line === 'string' ? [] : [lineDigest(file, canonicalJson(line))]));
  if (trusted) sandbox.project().trust.addTrusted(digests, trustedBy);
};

const inputs = (sandbox: CliSandbox, file: string): string[] =>
  sandbox.records(file).map((record) => {
    const read = recordFromJson(record, 'project');
    return read.ok ? `${read.value.key.role} ${read.value.key.sanitized_input}` : 'none';
  });

describe.concurrent('hookwise tidy', () => {
  it(
    'takes out what is expired, repeated or covered, sorts the rest, and says what it did',
    within(async (sandbox) => {
      const past = new Date(sandbox.now() - day).toISOString();
      put(sandbox, places.allow, [
        entry({ input: 'z' }),
        entry({ input: 'old', expires_at: past }),
        entry({ input: 'twice' }),
        entry({ input: 'a', role: 'coder' }),
        entry({ input: 'twice', timestamp: '2026-03-02T12:00:00.000Z' }),
        entry({ tool: 'Write', input: 'b.txt', change: 'create' }),
        entry({ tool: 'Write', input: 'b.txt' }),
      ]);
      const ran = await sandbox.run(['tidy']);
      expect(ran).toMatchObject({ code: 0, err: [], asked: [] });
      expect(ran.out).toEqual([
        '.hookwise/rules/allow.jsonl',
        expect.stringMatching(/^ {2}- 2: \{.*"old".*\(expired\)$/),
        expect.stringMatching(/^ {2}- 5: \{.*"twice".*\(covered by \.hookwise\/rules\/allow\.jsonl:3\)$/),
        expect.stringMatching(/^ {2}- 6: \{.*"b\.txt".*\(covered by \.hookwise\/rules\/allow\.jsonl:7\)$/),
        '  7 lines, 4 left, in order',
      ]);
      expect(inputs(sandbox, places.allow)).toEqual(['coder a', 'tester twice', 'tester z', 'tester b.txt']);
      expect((await sandbox.run(['trust', '--list'])).out).toEqual(['4 lines trusted, 0 not:']);
      expect((await sandbox.run(['tidy'])).out).toEqual(['Nothing to tidy.']);
      expect((await sandbox.run(['log', '--json'])).out.join('\n')).toContain('"tidied"');
    }),
  );

  it(
    'shows first, and changes nothing then',
    within(async (sandbox) => {
      put(sandbox, places.user, [entry({ input: 'b' }), entry({ input: 'a' }), entry({ input: 'a' })]);
      const before = sandbox.read(places.user);
      const { out } = await sandbox.run(['tidy', '--dry-run'], { caller: script });
      expect(out).toEqual([
        sandbox.at(places.user),
        expect.stringMatching(/^ {2}- 3: .*the same as .*rules\.jsonl:2\)$/),
        '  would be: 3 lines, 2 left, in order',
      ]);
      const { out: json } = await sandbox.run(['tidy', '--dry-run', '--json']);
      expect(JSON.parse(json.join('\n'))).toMatchObject({
        dryRun: true,
        files: [{ before: 3, after: 2, changes: true, lines: [{ kind: 'duplicate', line: 3, goes: true }] }],
      });
      expect(sandbox.read(places.user)).toBe(before);
    }),
  );

  it(
    'leaves damaged lines and conflicts until it is told otherwise, and names them',
    within(async (sandbox) => {
      put(sandbox, places.allow, ['{"torn', entry({ input: 'make' }), '<<<<<<< HEAD']);
      put(sandbox, places.deny, [entry({ input: 'make', decision: 'deny', role: '*' })]);
      const first = await sandbox.run(['tidy']);
      expect(first.out).toEqual([
        '.hookwise/rules/allow.jsonl',
        '  ! 1: {"torn  (is not valid JSON; mend it, or --damaged takes it out)',
        expect.stringMatching(
          /^ {2}! 2: .*never decides: \.hookwise\/rules\/deny\.jsonl:1 is stricter; --conflicts takes it out\)$/,
        ),
        '  ! 3: <<<<<<< HEAD  (is not valid JSON; mend it, or --damaged takes it out)',
        '  3 lines, put in order',
      ]);
      expect(
        sandbox
          .read(places.allow)
          .split('\n')
          .map((line) => line.slice(0, 6)),
      ).toEqual(['{"cont', '{"torn', '<<<<<<', '']);
      await sandbox.run(['tidy', '--damaged', '--conflicts']);
      expect([sandbox.read(places.allow), sandbox.records(places.deny)]).toEqual(['', [expect.anything()]]);
      expect((await sandbox.run(['trust', '--list'])).out).toEqual(['1 line trusted, 0 not:']);
    }),
  );

  it(
    'does not take out what leans on a line that nobody trusted',
    within(async (sandbox) => {
      const lines = [entry({ tool: 'Write', input: 'b', change: 'create' }), entry({ tool: 'Write', input: 'b' })];
      put(sandbox, places.allow, lines.slice(0, 1));
      sandbox.write(places.allow, lines.map((line) => `${canonicalJson(line)}\n`).join(''));
      expect((await sandbox.run(['tidy', '--dry-run'])).out).toEqual(['Nothing to tidy.']);
      sandbox.project().trust.addTrusted([lineDigest(places.allow, canonicalJson(lines[1]))], trustedBy);
      expect((await sandbox.run(['tidy', '--dry-run'])).out[1]).toMatch(/^ {2}- 1: /);
    }),
  );

  it(
    'takes the trust from what goes, so that a merge does not bring it back into force',
    within(async (sandbox) => {
      const narrow = entry({ tool: 'Write', input: 'b', change: 'create' });
      put(sandbox, places.allow, [narrow, entry({ tool: 'Write', input: 'b' })]);
      await sandbox.run(['tidy']);
      sandbox.write(places.allow, `${canonicalJson(narrow)}\n`);
      expect((await sandbox.run(['trust', '--list'])).out[0]).toBe('1 line trusted, 1 not:');
    }),
  );

  it(
    'writes each line in its one form, and no other than were there',
    within(async (sandbox) => {
      const flat = '{"tool":"Bash", "role":"tester", "decision":"deny", "command":"b"}';
      put(sandbox, places.here, [flat, JSON.stringify(entry({ input: 'a' }), undefined, 1).replaceAll('\n', ' ')]);
      await sandbox.run(['tidy', '--sort']);
      expect(sandbox.read(places.here)).toBe(
        `${canonicalJson(entry({ input: 'a' }))}\n{"command":"b","decision":"deny","role":"tester","tool":"Bash"}\n`,
      );
    }),
  );

  it(
    'only sorts when it is told to, also for a script',
    within(async (sandbox) => {
      put(sandbox, places.user, [entry({ input: 'b' }), entry({ input: 'a' }), entry({ input: 'b' })]);
      expect((await sandbox.run(['tidy', '--sort'], { caller: script })).code).toBe(0);
      expect(inputs(sandbox, places.user)).toEqual(['tester a', 'tester b', 'tester b']);
    }),
  );

  it(
    'covers by what the engine knows: shapes without places, and patterns of denies',
    within(async (sandbox) => {
      put(sandbox, places.allow, [
        entry({ input: 'cargo test <ANY:name>', slots: ['name'] }),
        entry({ input: 'cargo test foo' }),
        entry({ input: 'pytest <ANY:selector>', slots: ['selector'] }),
        entry({ input: 'pytest tests/a.py' }),
        entry({
          input: '',
          pattern: { command: 'make *' },
          key: { sanitized_input: 'make *', tool: '*', role: 'tester' },
        }),
        entry({ input: 'make all' }),
      ]);
      put(sandbox, places.deny, [
        entry({
          decision: 'deny',
          pattern: { command: 'docker *' },
          key: { sanitized_input: 'docker *', tool: '*', role: '*' },
        }),
        entry({ decision: 'deny', input: 'docker compose up' }),
        entry({ decision: 'deny', input: 'echo "docker" x' }),
      ]);
      const { out } = await sandbox.run(['tidy', '--dry-run']);
      expect(
        out.filter((line) => line.startsWith('  -')).map((line) => /"sanitized_input":"([^"]*)"/.exec(line)?.[1]),
      ).toEqual(['cargo test foo', 'docker compose up']);
    }),
  );

  it(
    'reaches the organisation only when it is named',
    within(async (sandbox) => {
      sandbox.write('own/config/config.yml', 'default_org: acme\n');
      const org = 'own/config/org/acme/rules/allow.jsonl';
      put(sandbox, org, [entry({ input: 'a' }), entry({ input: 'a' })]);
      expect((await sandbox.run(['tidy'])).out).toEqual(['Nothing to tidy.']);
      await sandbox.run(['tidy', '--scope', 'org']);
      expect(sandbox.records(org)).toHaveLength(1);
    }),
  );

  it.each([
    [['--sort', '--damaged'], 2, /takes nothing out/],
    [['--scope', 'role'], 2, /nothing is stored at role scope/],
    [['--scope', 'org'], 1, /no organisation is configured/],
  ] as const)(
    'refuses %j',
    within(async (sandbox, options, code, message) => {
      expect(await sandbox.run(['tidy', ...options])).toMatchObject({ code, err: [expect.stringMatching(message)] });
    }),
  );

  it.each([
    [agent('s-1'), ['tidy']],
    [agent('s-1'), ['tidy', '--dry-run']],
    [agent('s-1'), ['tidy', '--sort']],
    [script, ['tidy']],
  ] as const)(
    'is not for %j: %j',
    within(async (sandbox, caller, line) => {
      put(sandbox, places.user, [entry({ input: 'b' }), entry({ input: 'a' })]);
      const before = sandbox.read(places.user);
      expect(await sandbox.run(line, { caller })).toMatchObject({ code: 1, out: [] });
      expect(sandbox.read(places.user)).toBe(before);
    }),
  );
});
