import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomFrom, script } from './fuzz.generate.ts';
import type { ShellReading } from './model.ts';
import { readShell } from './registry.ts';
import { toEffects } from './to-effects.ts';
import { builtinVerdict } from './verdict.ts';

const context = { cwd: '/home/u/proj', home: '/home/u', user: 'u', root: '/home/u/proj' };

const read = (source: string): ShellReading => readShell(source, context);
const verdictOf = (source: string): string => builtinVerdict(read(source), context).verdict ?? 'open';

const catastrophe = 'rm -rf ~';

const fragments = [
  ' ', '\n', ';', '&&', '||', '|', '&', '(', ')', '{', '}', '$(', '`', '"', "'", '\\', '$', '${', '}', '$((', '))', '[[', ']]',
  '<', '>', '>>', '<<', '<<-', '<<<', '<(', '>(', '2>&1', '&>', 'EOF', '\nEOF\n', "'EOF'", '#', '!', '*', '?', '[', ']', '~', '=',
  'if', 'then', 'else', 'elif', 'fi', 'for', 'in', 'do', 'done', 'while', 'until', 'case', 'esac', ';;', 'select', 'function',
  'f()', 'time', 'coproc', 'eval', 'bash', '-c', 'sh', 'env', 'xargs', 'find', '-exec', '{}', '+', 'git', '-C', 'sed', 'awk',
  'ls', 'rm', '-rf', 'x', 'a=1', 'a+=(b', 'cd', '..', '/', 'dist', '$x', `\${x:-y}`, `\${x/y/z}`, '$@', '{a,b}', '{1..3}', 'echo',
  '\u0000', '\ud800', '\ue000', '\u200b', '\r', '\t', 'trap', 'export', 'declare', '-n', 'read', 'printf', '%s', 'set', '-e', '--',
]; // biome-ignore format: a table
const shellish = fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((parts) => parts.join(''));
const spaced = fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((parts) => parts.join(' '));
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ maxLength: 200 }),
  shellish,
  spaced,
);

describe('any text', () => {
  test('is read without an exception, to a verdict that fits', () => {
    fc.assert(
      fc.property(anything, (source) => {
        const reading = read(source);
        const verdict = builtinVerdict(reading, context);
        toEffects(reading);
        expect(reading.complete).toBe(reading.unknowns.length === 0);
        if (verdict.verdict === 'allow') expect(reading.complete).toBe(true);
      }),
      { numRuns: 1500, seed: 11 },
    );
  });

  test('is read the same way twice', () => {
    fc.assert(
      fc.property(shellish, (source) => {
        expect(read(source)).toEqual(read(source));
      }),
      { numRuns: 150, seed: 12 },
    );
  });

  test('does not hide a catastrophe in front of it or behind it on a line of its own', () => {
    const random = randomFrom(77);
    for (let round = 0; round < 150; round += 1) {
      const text = script(random, 2);
      expect(verdictOf(`${catastrophe}\n${text}`), text).toBe('deny');
      // Unless what is in front may have redefined what the words mean.
      expect(['deny', 'ask'], text).toContain(verdictOf(`${text}\n${catastrophe}`));
    }
  });
});

describe('what bash rejects', () => {
  test('is never complete', { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'shell-syntax-'));
    try {
      const random = randomFrom(4711);
      const samples = fc.sample(fc.oneof(shellish, spaced), { numRuns: 250, seed: 13 });
      const sources = [
        ...samples,
        ...Array.from({ length: 250 }, () => damaged(script(random, 2), random.below)),
      ].filter((source) => !/[\0\ud800-\udfff]/.test(source));
      const files = sources.map((source, index) => {
        const file = join(folder, `s${index}`);
        writeFileSync(file, source);
        return file;
      });
      // Only the syntax is checked: nothing of it ever runs.
      const check = 'for f in "$@"; do if bash -n "$f" 2>/dev/null; then echo ok; else echo bad; fi; done';
      const checked = spawnSync('bash', ['-c', check, '_', ...files], {
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin' },
      });
      const answers = checked.stdout.trim().split('\n');
      expect(answers.length).toBe(sources.length);
      const wrong = sources.filter((source, index) => answers[index] === 'bad' && read(source).complete);
      expect(wrong).toEqual([]);
      expect(answers.filter((answer) => answer === 'bad').length).toBeGreaterThan(100);
      expect(answers.filter((answer) => answer === 'ok').length).toBeGreaterThan(30);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

// Takes out or doubles a few characters.
const damaged = (text: string, below: (limit: number) => number): string => {
  const at = below(text.length);
  return below(2) === 0
    ? text.slice(0, at) + text.slice(at + 1 + below(2))
    : `${text.slice(0, at)}${text.charAt(at)}${text.slice(at)}`;
};

const nested = (depth: number, open: string, close: string): string =>
  `${open.repeat(depth)}${catastrophe}${close.repeat(depth)}`;

const nestedShells = (depth: number): string => {
  let code = catastrophe;
  for (let level = 0; level < depth; level += 1) code = `bash -c '${code.replaceAll("'", "'\\''")}'`;
  return code;
};

/** Inputs that grow: how they are made, how large, and what must come out. */
const growing: readonly (readonly [string, (size: number) => string, number, readonly string[]])[] = [
  ['padding in front', (size) => `${' '.repeat(size)}${catastrophe}`, 200_000, ['ask', 'deny']],
  ['a long comment', (size) => `# ${'x'.repeat(size)}\n${catastrophe}`, 200_000, ['ask', 'deny']],
  ['a long word', (size) => `echo ${'x'.repeat(size)}; ${catastrophe}`, 200_000, ['ask', 'deny']],
  ['many quoted words', (size) => `echo ${"'a' ".repeat(size)}; ${catastrophe}`, 12_500, ['ask', 'deny']],
  ['many words', (size) => `ls ${'a '.repeat(size)}; ${catastrophe}`, 12_500, ['ask', 'deny']],
  ['nested substitutions', (size) => nested(size, 'echo $(', ')'), 1250, ['ask', 'deny']],
  ['nested groups', (size) => nested(size, '{ ', '; }'), 1250, ['ask', 'deny']],
  ['nested subshells', (size) => nested(size, '( ', ' )'), 1250, ['ask', 'deny']],
  ['nested quotes', (size) => nested(size, '"$(', ')"'), 1250, ['ask', 'deny']],
  ['nested backticks', (size) => `${'`'.repeat(size)}${catastrophe}`, 1250, ['ask', 'deny']],
  ['nested parameters', (size) => nested(size, `\${x:-`, '}'), 1250, ['ask', 'deny']],
  ['nested arithmetic', (size) => `echo $(( ${'('.repeat(size)}1${')'.repeat(size)} )); ${catastrophe}`, 1250, ['ask', 'deny']],
  ['nested ifs', (size) => nested(size, 'if true; then ', '; fi'), 250, ['ask', 'deny']],
  ['nested braces', (size) => `echo ${'{a,'.repeat(size)}b${'}'.repeat(size)}; ${catastrophe}`, 500, ['ask', 'deny']],
  ['many segments', (size) => `${'ls; '.repeat(size)}${catastrophe}`, 500, ['deny']],
  ['many lines', (size) => `${'ls\n'.repeat(size)}${catastrophe}`, 500, ['deny']],
  ['a long chain', (size) => `${'ls && '.repeat(size)}${catastrophe}`, 500, ['deny']],
  ['a long alternative', (size) => `${'ls || '.repeat(size)}${catastrophe}`, 500, ['deny']],
  ['a long pipeline', (size) => `${'cat | '.repeat(size)}${catastrophe}`, 500, ['deny']],
  ['many unchecked directories', (size) => `${'cd a; '.repeat(size)}${catastrophe}`, 250, ['ask', 'deny']],
  ['many assignments', (size) => `${Array.from({ length: size }, (_one, at) => `v${at}=$v${at - 1}a`).join('; ')}; ${catastrophe}`, 250, ['ask', 'deny']],
  ['doubling values', (size) => `x=a; ${'x=$x$x; '.repeat(size)}${catastrophe}`, 250, ['ask', 'deny']],
  ['many functions', (size) => `${Array.from({ length: size }, (_one, at) => `f${at}() { f${at + 1}; }`).join('; ')}; f0; ${catastrophe}`, 100, ['ask', 'deny']],
  ['functions that double', (size) => `${Array.from({ length: size }, (_one, at) => `f${at}() { f${at + 1}; f${at + 1}; }`).join('; ')}; f0; ${catastrophe}`, 20, ['ask', 'deny']],
  ['nested loops', (size) => nested(size, 'for i in a b c d; do ', '; done'), 6, ['ask', 'deny']],
  ['evaluations', (size) => `${'eval '.repeat(size)}${catastrophe}`, 100, ['ask', 'deny']],
  ['wrappers', (size) => `${'env '.repeat(size)}${catastrophe}`, 100, ['ask', 'deny']],
  ['substitutions side by side', (size) => `echo ${'$(ls) '.repeat(size)}; ${catastrophe}`, 500, ['ask', 'deny']],
  ['defaults side by side', (size) => `echo \${x:-a} \${y:-b}${' a'.repeat(size)}; ${catastrophe}`, 500, ['ask', 'deny']],
  ['here-documents', (size) => `${'cat <<E\nx\nE\n'.repeat(size)}${catastrophe}`, 250, ['ask', 'deny']],
  ['a pattern', (size) => `ls ${'*a'.repeat(size)}; ${catastrophe}`, 500, ['ask', 'deny']],
  ['dangerous words of an unknown program', (size) => `unknown ${'rm '.repeat(size)}; ${catastrophe}`, 250, ['ask', 'deny']],
]; // biome-ignore format: a table

describe('growing input', () => {
  test.each(growing)('%s: work grows with the size, the end is not lost', (_name, make, size, right) => {
    expect(right).toContain(verdictOf(make(size)));
    const small = read(make(size)).nodes;
    const large = read(make(size * 2)).nodes;
    expect(large).toBeLessThanOrEqual(Math.max(small * 3, 2000));
  });

  const limits: readonly (readonly [string, string, readonly string[]])[] = [
    ['1 MB of padding', `${' '.repeat(1_048_576)}${catastrophe}`, ['ask', 'deny']],
    ['1 MB of a comment', `#${'x'.repeat(1_048_576)}\n${catastrophe}`, ['ask', 'deny']],
    ['50 000 quoted words', `echo ${"'a' ".repeat(50_000)}; ${catastrophe}`, ['ask', 'deny']],
    ['5 000 nested substitutions', nested(5000, '$(', ')'), ['ask', 'deny']],
    ['5 000 substitutions without an end', '$('.repeat(5000), ['ask']],
    ['2 000 segments', `${'ls; '.repeat(2000)}${catastrophe}`, ['deny']],
    ['2 000 segments of git', `${'git status; '.repeat(2000)}${catastrophe}`, ['deny']],
    ['ten nested shells', nestedShells(10), ['ask', 'deny']],
    ['a word of 100 000 parts', `echo ${"'a'b".repeat(50_000)}; ${catastrophe}`, ['ask', 'deny']],
    ['five nested shells', nestedShells(5), ['deny']],
    ['eight brace lists', `echo ${'{1..9}'.repeat(8)}`, ['ask', 'open', 'allow']],
    ['eight brace lists as a command', `{1..9}{1..9}{1..9}{1..9}{1..9}{1..9}{1..9}{1..9}`, ['ask']],
    ['eight brace lists of paths', `rm -rf ${'{a,/}'.repeat(8)}`, ['ask', 'deny']],
    ['a wide brace list', 'echo {1..999999}', ['ask', 'open', 'allow']],
    ['10 001 characters that only look', `ls ${'a'.repeat(10_001)}`, ['ask']],
    ['a here-document of 100 000 characters', `cat <<'E'\n${'x\n'.repeat(50_000)}E`, ['allow']],
  ];
  test.each(limits)('%s has an answer', (_name, source, right) => {
    const started = performance.now();
    expect(right).toContain(verdictOf(source));
    // Far above what it takes: only a blow-up comes near.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
