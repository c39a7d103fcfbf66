import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipReason } from './test-report.ts';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const reportModule = JSON.stringify(join(packageRoot, 'tools/test-report.ts'));
const suite = "import { beforeAll, describe, it } from 'vitest';\n";
const files = {
  'vitest.config.ts': `import { testReport } from ${reportModule};\nexport default { test: { reporters: testReport('unit') } };\n`,
  'mixed.test.ts': `${suite}it('holds', () => {});
it('breaks', () => { throw new Error('no'); });
it('waits', ({ skip }) => skip('no terminal here'));
it.skip('is left out', () => {});
describe.skipIf(true)('a client (skipped: not installable here: npm (E404))', () => { it('answers', () => {}); });
`,
  'set-up.test.ts': `${suite}describe('set-up', () => { beforeAll(() => { throw new Error('no database'); }); it('is used', () => {}); });\n`,
  'broken.test.ts': "import './not-there.ts';\n",
};

let root: string;

const summary = (...runs: readonly string[]) => {
  const args = [join(packageRoot, 'tools/test-summary.mjs'), join(root, 'reports'), ...runs];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
};

const writeReport = (run: string, report: object): void => {
  mkdirSync(join(root, 'reports'), { recursive: true });
  writeFileSync(join(root, 'reports', `${run}.json`), JSON.stringify(report));
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hookwise-summary-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the summary of a real run', () => {
  it('counts what broke outside the tests and says why tests were skipped', () => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
    const vitest = join(packageRoot, 'node_modules/vitest/vitest.mjs');
    const env = { ...process.env, TEST_REPORTS: join(root, 'reports') };
    expect(spawnSync(process.execPath, [vitest, 'run', '--root', root], { cwd: root, env }).status).toBe(1);
    const { status, lines } = summary('unit=4');
    expect(status).toBe(1);
    expect(lines.slice(0, -1).toSorted()).toEqual([
      expect.stringMatching(/^failed: broken\.test\.ts: .*not-there/),
      'failed: mixed.test.ts > breaks',
      'failed: set-up.test.ts > set-up: no database',
      'skipped: mixed.test.ts > a client (skipped: not installable here: npm (E404)) > answers: not installable here: npm (E404)',
      'skipped: mixed.test.ts > is left out: no reason given',
      'skipped: mixed.test.ts > waits: no terminal here',
      'skipped: set-up.test.ts > set-up > is used: no reason given',
      'unit: 3 tests were skipped, expected 4',
    ]);
    expect(lines.at(-1)).toBe('1 passed, 3 failed, 4 skipped');
  });
});

describe('the summary of several runs', () => {
  const good = { passed: 2, failed: [], skipped: [] };
  const absent = { passed: 0, failed: [], skipped: [{ name: 'client', reason: 'not installable here: E404' }] };
  const lazy = { passed: 1, failed: [], skipped: [{ name: 'a', reason: 'no reason given' }] };

  it.each([
    ['adds them up', { unit: good, e2e: good }, ['unit=0', 'e2e=0'], 0, '4 passed, 0 failed, 0 skipped'],
    ['excuses a client that is not to be had', { clients: absent }, ['clients=0'], 0, '0 passed, 0 failed, 1 skipped'],
    ['fails for a skip that nobody expects', { unit: lazy }, ['unit=0'], 1, '1 passed, 0 failed, 1 skipped'],
    [
      'fails for a skip that is expected and does not come',
      { unit: good },
      ['unit=1'],
      1,
      '2 passed, 0 failed, 0 skipped',
    ],
    [
      'counts a run that never ended as a failure',
      { unit: good },
      ['unit=0', 'e2e=0'],
      1,
      '2 passed, 1 failed, 0 skipped',
    ],
  ])('%s', (_, reports, runs, status, last) => {
    for (const [run, report] of Object.entries(reports)) writeReport(run, report);
    const result = summary(...runs);
    expect({ status: result.status, last: result.lines.at(-1) }).toEqual({ status, last });
  });

  it.each([
    ['suite (skipped: because) > test', undefined, 'because'],
    ['suite (skipped: a (b)) > test (x)', undefined, 'a (b)'],
    ['suite > test', 'a note', 'a note'],
    ['suite > test', undefined, 'no reason given'],
  ])('reads the reason from %j and the note %j', (name, note, reason) => {
    expect(skipReason(name, note)).toBe(reason);
  });
});
