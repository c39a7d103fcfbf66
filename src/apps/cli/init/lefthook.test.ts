import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Result } from '../../../core/model/result.ts';
import { scanLine, scanScript } from './hook-block.ts';
import { hasScan, withoutScan, withScan } from './lefthook.ts';

const textIn = (result: Result<string, string>): string => {
  if (!result.ok) throw new Error(result.error);
  return result.value;
};

const commands = `# Hooks of this team.
pre-commit:
  parallel: true # faster
  commands:
    lint:
      glob: "*.ts"
      run: npx eslint {staged_files}

# Before a push.
pre-push:
  commands:
    test:
      run: npm test
`;

const jobs = `pre-commit:
    jobs:
    - name: lint
      run: npx eslint {staged_files}   # staged ones only
    - run: npm test
`;

describe('withScan', () => {
  it('adds a command and keeps comments, order and everything else', () => {
    const after = textIn(withScan(commands));
    expect(parse(after)).toEqual({
      'pre-commit': {
        parallel: true,
        commands: { lint: { glob: '*.ts', run: 'npx eslint {staged_files}' }, hookwise: { run: `${scanScript}\n` } },
      },
      'pre-push': { commands: { test: { run: 'npm test' } } },
    });
    for (const comment of ['# Hooks of this team.', 'true # faster', '# Before a push.'])
      expect(after).toContain(comment);
    expect(after).toContain(`      run: |\n        node=$(`);
    expect(after.indexOf(scanLine)).toBeLessThan(after.indexOf('pre-push'));
  });

  it('adds a job where there are jobs', () => {
    const after = textIn(withScan(jobs));
    expect(parse(after)['pre-commit'].jobs).toEqual([
      ...parse(jobs)['pre-commit'].jobs,
      { name: 'hookwise', run: `${scanScript}\n` },
    ]);
    expect(after).toContain('run: npx eslint {staged_files} # staged ones only');
  });

  it.each([
    ['an empty file', ''],
    ['only comments', '# nothing yet\n'],
    ['another hook', 'pre-push:\n  commands:\n    test:\n      run: npm test\n'],
    ['an empty hook', 'pre-commit:\n'],
    ['empty commands', 'pre-commit:\n  commands:\n'],
  ])('starts from %s', (_, text) => {
    const after = textIn(withScan(text));
    expect(parse(after)['pre-commit']).toEqual({ commands: { hookwise: { run: `${scanScript}\n` } } });
    expect(after.startsWith(text.startsWith('#') ? text : '')).toBe(true);
    expect(hasScan(after)).toBe(true);
  });

  it.each([commands, jobs, ''])('changes nothing the second time: %#', (text) => {
    const once = textIn(withScan(text));
    expect(textIn(withScan(once))).toBe(once);
  });

  it.each([
    ['broken YAML', 'pre-commit: [\n', /./],
    ['a list', '- a\n', /no map/],
    ['a hook that is a list', 'pre-commit: [a]\n', /"pre-commit" is no map/],
    ['commands that are a list', 'pre-commit:\n  commands: [a]\n', /"commands" of "pre-commit" is no map/],
    ['jobs that are none', 'pre-commit:\n  jobs: 1\n', /"jobs" of "pre-commit" is no list/],
  ])('refuses %s', (_, text, why) => {
    expect(withScan(text)).toEqual({ ok: false, error: expect.stringMatching(why) });
    expect(hasScan(text)).toBe(false);
  });
});

describe('withoutScan', () => {
  it.each([
    ['commands', commands],
    ['jobs', 'pre-commit:\n  jobs:\n    - run: npm test\n'],
    ['nothing', ''],
    ['other hooks', 'pre-push:\n  commands:\n    test:\n      run: npm test\n'],
  ])('gives back %s', (_, text) => {
    expect(textIn(withoutScan(textIn(withScan(text))))).toBe(text);
    expect(textIn(withoutScan(text))).toBe(text);
  });
});
