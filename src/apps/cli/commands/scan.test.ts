import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fakeKey, fakes, type ProgramRun, type ScanSandbox, scanSandbox } from '../../../io/scan/scan-sandbox.cases.ts';
import type { Surroundings } from '../../compose.ts';
import { builtProgram } from '../built-cli.cases.ts';
import { workspace } from '../workspace.cases.ts';
import { scan as command } from './scan.ts';

const program = builtProgram();
const { github, password } = fakes;

/** The program as a person starts it. */
const start = (sandbox: ScanSandbox, ...words: string[]): ProgramRun =>
  sandbox.run(process.execPath, [program(), 'scan', ...words]);

/** The command by itself, without a process. */
const scan = ({ root, env, home }: ScanSandbox, ...words: string[]): ProgramRun => {
  const [out, err]: [string[], string[]] = [[], []];
  const { values, positionals } = parseArgs({ args: words, options: command.options, allowPositionals: true });
  const code = command.run({
    options: values,
    words: positionals,
    surroundings: surroundingsOf(env, home),
    cwd: root,
    print: (line) => void out.push(`${line}\n`),
    complain: (line) => void err.push(`${line}\n`),
  });
  if (typeof code !== 'number') throw new Error('the scan took its time');
  return { code, out: out.join(''), err: err.join('') };
};

const surroundingsOf = (env: Record<string, string>, passwdHome: string): Surroundings => ({
  ...workspace().surroundings,
  env,
  passwdHome,
});

const made = (): ScanSandbox => {
  const sandbox = scanSandbox();
  sandbox.start();
  return sandbox;
};

const json = ({ out }: ProgramRun) => JSON.parse(out);

describe('hookwise scan', () => {
  it('says where, of what kind and how long, and never what', () => {
    const sandbox = made();
    sandbox.write('src/a.ts', `const a = 1;\nconst key = '${github}';\n`);
    sandbox.write('src/key.pem', fakeKey());
    const { code, out, err } = start(sandbox, 'src');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^src\/a\.ts:2:14 {2}github-pat {2}github pat \(40 characters\) {2}[0-9a-f]{32}$/),
      expect.stringMatching(
        /^src\/key\.pem:1:1 {2}private-key {2}private key \(\d+ characters, to line 7\) {2}[0-9a-f]{32}$/,
      ),
      '2 secrets in 2 files; 2 files scanned',
      '',
    ]);
    for (const format of ['--json', '--sarif', '--quiet', '--verbose']) {
      const run = start(sandbox, format, 'src');
      for (let at = 4; at + 6 <= github.length; at += 1) expect(run.out).not.toContain(github.slice(at, at + 6));
      expect(run.out).not.toContain('MIIEvQ');
      expect(run.code).toBe(1);
    }
  });

  it("without a path looks through .hookwise and the user's own rules", () => {
    const sandbox = made();
    sandbox.write('.hookwise/rules/allow.jsonl', `${JSON.stringify({ command: `curl ${github}` })}\n`);
    sandbox.write('.hookwise/.user/user.jsonl', `{"password":"${password}"}\n`);
    sandbox.write('../own/config/user/rules.jsonl', `{"token":"${github}"}\n`);
    sandbox.write('src/a.txt', github);
    const { code, out } = scan(sandbox);
    expect(code).toBe(1);
    expect(out).toMatch(/^\.hookwise\/\.user\/user\.jsonl:1:13 {2}field /m);
    expect(out).toMatch(/^\.hookwise\/rules\/allow\.jsonl:1:12 {2}github-pat /m);
    expect(out).toMatch(/^\/.*\/own\/config\/user\/rules\.jsonl:1:10 {2}github-pat /m);
    expect(out).toMatch(/^3 secrets in 3 files; 3 files scanned$/m);
  });

  it('is content where there is nothing to look at', () => {
    expect(scan(made())).toEqual({ code: 0, out: 'no secrets found; 0 files scanned\n', err: '' });
  });

  it('undoes the escapes of JSON in rules', () => {
    const sandbox = made();
    const line = JSON.stringify({ a: 1, command: `curl ${github}` }).replace('ghp', '\\u0067hp');
    sandbox.write('.hookwise/rules/deny.jsonl', `{"ok":1}\n${line}\n`);
    expect(json(scan(sandbox, '--json')).findings).toMatchObject([
      { file: '.hookwise/rules/deny.jsonl', line: 2, column: 18, rule: 'github-pat', length: 40 },
    ]);
  });

  it('passes over nothing in silence', () => {
    const sandbox = made();
    sandbox.write('in/binary', `\0${github}`);
    sandbox.write('in/large.txt', `${github}\n${'x\n'.repeat(700_000)}`);
    sandbox.write('in/node_modules/a/x.txt', github);
    sandbox.write('in/utf16.txt', Buffer.from(`\ufeffa\n${github}`, 'utf16le'));
    symlinkSync('large.txt', join(sandbox.root, 'in/link'));
    sandbox.run('mkfifo', ['in/fifo']);
    const { code, out } = scan(sandbox, '--max-size', '1', 'in');
    expect(code).toBe(1);
    expect(out).toMatch(/^in\/utf16\.txt:2:1 {2}github-pat /m);
    expect(out).toMatch(/^in\/large\.txt: not scanned: too large/m);
    expect(out).toMatch(
      /^1 secret in 1 file; 1 file scanned, 1 skipped \(binary\), 1 skipped \(no file\), 1 skipped \(too large\), 1 skipped \(link\), 1 skipped \(left out\)$/m,
    );
    const verbose = scan(sandbox, '--verbose', '--max-size', '1', 'in').out;
    for (const line of ['binary: skipped: binary', 'link: skipped: link', 'node_modules: skipped: left out'])
      expect(verbose).toContain(`in/${line}\n`);
    expect(scan(sandbox, 'in/large.txt').code).toBe(1);
    expect(scan(sandbox, 'in/node_modules').code).toBe(1);
    expect(scan(sandbox, 'in/link').out).toMatch(/1 skipped \(link\)/);
  });

  it('reads a file of rules whatever is in it', () => {
    const sandbox = made();
    sandbox.write('.hookwise/rules/allow.jsonl', `\0\0{"a":"${github}"}\n`);
    expect(scan(sandbox).out).toMatch(/^\.hookwise\/rules\/allow\.jsonl:1:\d+ {2}github-pat/m);
  });

  it('passes over code and examples, unless it is to be strict or looks at rules', () => {
    const sandbox = made();
    const text = 'password = readPassword\nAPI_KEY=your-api-key-here\ntoken: lambda\n';
    sandbox.write('a.md', text);
    sandbox.write('.hookwise/policy.yml', 'x_password: swordfish\n');
    expect(scan(sandbox, 'a.md').code).toBe(0);
    expect(scan(sandbox, '--strict', 'a.md').code).toBe(1);
    expect(scan(sandbox).out).toMatch(/^\.hookwise\/policy\.yml:1:13 {2}field/m);
  });

  it('finds what stands in a line of megabytes', () => {
    const sandbox = made();
    const front = 'function(a,b){return a(b)};'.repeat(40_000);
    sandbox.write('min.js', `${front}var k="${github}";${front}`);
    expect(json(scan(sandbox, '--json', 'min.js')).findings).toMatchObject([{ line: 1, column: front.length + 8 }]);
  });

  it.each<[name: string, words: string[]]>([
    ['what is not there', ['nowhere']],
    ['two formats', ['--json', '--sarif']],
    ['an unknown option', ['--what']],
    ['no number', ['--max-size', 'big']],
    ['--all-lines alone', ['--all-lines']],
  ])('exits with 2 for %s', (_, words) => {
    const { code, err } = start(made(), ...words);
    expect(code).toBe(2);
    expect(err).toMatch(/^hookwise scan: /);
  });

  it('exits with 2 when something cannot be read, with 1 when something was found as well', () => {
    const sandbox = made();
    sandbox.write('a/clean.txt', 'x\n');
    const isRoot = process.getuid?.() === 0;
    mkdirSync(join(sandbox.root, 'a/closed'));
    chmodSync(join(sandbox.root, 'a/closed'), 0);
    if (!isRoot) expect(scan(sandbox, 'a').code).toBe(2);
    const run = scan(sandbox, 'a/clean.txt', 'nowhere');
    expect(run).toMatchObject({ code: 2, out: expect.stringMatching(/1 file scanned, 1 could not be read/) });
    sandbox.write('a/leak.txt', github);
    expect(scan(sandbox, 'a/leak.txt', 'nowhere').code).toBe(1);
    chmodSync(join(sandbox.root, 'a/closed'), 0o700);
  });

  it('shows odd names harmlessly', () => {
    const sandbox = made();
    sandbox.write('x/new\nline\u202e.txt', github);
    sandbox.write(`x/${github}`, 'clean\n');
    const { out } = scan(sandbox, '--verbose', 'x');
    expect(out).toMatch(/^x\/new\\u\{a\}line\\u\{202e\}\.txt:1:1 /m);
    expect(out).not.toContain(github);
  });

  it('counts a file once', () => {
    const sandbox = made();
    sandbox.write('a/b.txt', github);
    expect(scan(sandbox, 'a', 'a/b.txt', './a').out).toContain('1 secret in 1 file; 1 file scanned');
  });
});

describe('exceptions', () => {
  it('by a mark on the line, of all kinds or of some', () => {
    const sandbox = made();
    sandbox.write(
      'a.py',
      [
        `a = "${github}"  # hookwise:allow-secret`,
        `b = "${github}"  # hookwise:allow-secret(github-pat): a sample`,
        `c = "${github}"  # hookwise:allow-secret(jwt)`,
        `d = 1  # hookwise:allow-secret`,
        `# hookwise:allow-secret`,
        fakeKey(),
      ].join('\n'),
    );
    const { out } = scan(sandbox, 'a.py');
    expect(out).toMatch(/^a\.py:3:6 /);
    expect(out).toMatch(/^1 secret in 1 file; 1 file scanned, 3 findings excused by a marker$/m);
    expect(out).not.toContain('excuses nothing');
    expect(scan(sandbox, '--verbose', 'a.py').out.match(/^a\.py:\d+: excuses nothing here$/gm)).toEqual([
      'a.py:3: excuses nothing here',
      'a.py:4: excuses nothing here',
    ]);
  });

  it('never by a mark inside a rule', () => {
    const sandbox = made();
    sandbox.write('.hookwise/rules/allow.jsonl', `{"command":"curl ${github} # hookwise:allow-secret"}\n`);
    expect(scan(sandbox).code).toBe(1);
  });

  it('by fingerprint and by glob, and a glob never takes rules out', () => {
    const sandbox = made();
    sandbox.write('.hookwise/rules/allow.jsonl', `{"command":"curl ${github}"}\n`);
    sandbox.write('tests/fixtures/a.txt', github);
    sandbox.write('src/a.txt', `x ${github}\n`);
    sandbox.write('.hookwise/scan-ignore', '# samples\npath tests/fixtures/**\npath .hookwise/**\npath unused/**\n');
    const all = ['.hookwise', 'tests', 'src'];
    const { findings, ignoredFiles, idle } = json(scan(sandbox, '--json', ...all));
    expect(ignoredFiles).toBe(1);
    expect(findings).toHaveLength(2);
    expect(idle).toEqual([3, 4].map((line) => ({ file: '.hookwise/scan-ignore', line })));
    const lines = findings.map(({ fingerprint }: { fingerprint: string }) => `finding ${fingerprint} # known`);
    sandbox.write('.hookwise/scan-ignore', lines.join('\n'));
    sandbox.write('src/a.txt', `moved\ndown\n  x ${github}\n`);
    const again = scan(sandbox, '.hookwise', 'src');
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('2 findings excused by fingerprint') });
  });

  it('in a file that cannot be read as one stop the scan', () => {
    const sandbox = made();
    sandbox.write('.hookwise/scan-ignore', '*.txt\n');
    expect(scan(sandbox)).toMatchObject({ code: 2, err: expect.stringContaining('.hookwise/scan-ignore:1: expected') });
  });
});

describe('hookwise scan --staged', () => {
  it('looks at what would be committed, at added lines only unless told otherwise', () => {
    const sandbox = made();
    sandbox.write('a.txt', `${github}\n`);
    sandbox.git('add', '.');
    sandbox.git('commit', '-qm', 'leak');
    sandbox.write('a.txt', `more\n${github}\n`);
    sandbox.git('add', '.');
    sandbox.write('a.txt', `${fakes.aws}\n`);
    expect(scan(sandbox, '--staged')).toMatchObject({ code: 0 });
    expect(scan(sandbox, '--staged', '--all-lines').out).toMatch(/^a\.txt:2:1 {2}github-pat/);
    expect(scan(sandbox, '--staged', 'elsewhere/')).toMatchObject({ code: 0 });
  });

  it('believes the exceptions that are staged, not those that are only written', () => {
    const sandbox = made();
    sandbox.write('a.txt', `${github}\n`);
    sandbox.git('add', 'a.txt');
    sandbox.write('.hookwise/scan-ignore', 'path a.txt\n');
    expect(scan(sandbox, '--staged').code).toBe(1);
    sandbox.git('add', '.hookwise');
    expect(scan(sandbox, '--staged').code).toBe(0);
  });

  it('works before the first commit, and exits with 2 outside a repository', () => {
    const sandbox = scanSandbox();
    expect(start(sandbox, '--staged')).toMatchObject({ code: 2, err: expect.stringContaining('git diff failed') });
    sandbox.git('init', '-q');
    sandbox.write('a.txt', github);
    sandbox.git('add', '.');
    expect(start(sandbox, '--staged').code).toBe(1);
  });
});
