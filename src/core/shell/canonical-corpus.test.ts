import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { canonicalCommand, layOut } from './canonical.ts';
import { type Random, randomFrom, script } from './fuzz.generate.ts';
import type { ReadCommand, ShellReading } from './model.ts';
import { readShell } from './registry.ts';
import { toEffects } from './to-effects.ts';
import { builtinVerdict } from './verdict.ts';

const rounds = Number(process.env['HOOKWISE_FUZZ'] ?? 120);
const seed = Number(process.env['HOOKWISE_FUZZ_SEED'] ?? 20_262);

const context = { cwd: '/home/u/proj', home: '/home/u', user: 'u', root: '/home/u/proj' };

const read = (text: string): ShellReading => readShell(text, context);
const canonical = (text: string): string => canonicalCommand(text, { ...context, reading: read(text) });

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

const textsUnder = async (folder: string): Promise<string[]> => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.cases.ts'));
  const tables = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  return tables.flatMap(stringsIn);
};

// Programs that the reader knows, in place of those of the generator, so that readings are complete.
const known = ['ls', 'cat', 'echo', 'wc', 'npm test', 'git status', 'touch', 'rm -r'];

const generated = (random: Random): string => {
  const text = script(random, 3);
  return random.below(3) === 0 ? text : text.replace(/\bp(\d)\b/g, (_name, digit) => known[Number(digit)] ?? 'true');
};

const letters = [...' \n\t\\\'";&|><$#`2a0{}()*?~=!-+[]:/.@%^,', '\\\n', '2>&1', '&&', '||', " '", '" '];

// One or two characters are taken out, doubled, swapped or put in.
const altered = (text: string, random: Random): string => {
  const at = random.below(text.length + 1);
  const letter = random.pick(letters);
  return random.pick([
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at) + letter + text.slice(at),
    () => text.slice(0, at) + letter + text.slice(at + 1),
    () => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
    () => text.slice(0, at) + letter + text.slice(at) + letter,
  ])();
};

const usual = (operator: string): number => (operator.startsWith('<') ? 0 : 1);

const summary = ({ depth: _depth, ...command }: ReadCommand): unknown => ({
  ...command,
  redirects: command.redirects.map((one) => ({ ...one, descriptor: one.descriptor ?? usual(one.operator) })),
});

const isEntry = (command: ReadCommand): boolean => command.program === 'cd' && command.words.length === 2;

const wordsOf = ({ commands }: ShellReading, count: number): unknown[] => {
  const entries = commands.length - count;
  expect(commands.slice(0, Math.max(0, entries)).every(isEntry)).toBe(true);
  return commands.slice(Math.max(0, entries)).map(summary);
};

const outcome = (reading: ShellReading): unknown => ({
  complete: reading.complete,
  // Why something is not understood may quote the text.
  effects: toEffects(reading).map((effect) => (effect.kind === 'unknown' ? effect.kind : effect)),
  verdict: builtinVerdict(reading, context).verdict,
});

/** A text and its form say the same; true when the form is not just the text. */
const checkForm = (text: string, form: string): boolean => {
  if (form === text) return false;
  const [first, second] = [read(text), read(form)];
  expect(outcome(second), text).toEqual(outcome(first));
  if (first.complete)
    expect(wordsOf(second, second.commands.length), text).toEqual(wordsOf(first, second.commands.length));
  expect(canonical(form), text).toBe(form);
  return true;
};

let texts: readonly string[] = [];
beforeAll(async () => {
  const folder = import.meta.dirname;
  const corpora = [await textsUnder(folder), await textsUnder(join(folder, '../../../corpus'))].flat();
  const random = randomFrom(seed);
  const scripts = Array.from({ length: rounds * 4 }, () => generated(random));
  const plain = [...new Set([...corpora, ...scripts])].filter((text) => text.length < 2000);
  const more = Array.from({ length: Math.ceil((plain.length * rounds) / 400) }, () => {
    const once = altered(random.pick(plain), random);
    return random.below(2) === 0 ? once : altered(once, random);
  });
  texts = [...new Set([...plain, ...more])];
});

describe('all commands of the project, generated ones, and all of them altered', () => {
  const forms = new Map<string, string[]>();

  test('mean the same in their one form', { timeout: 600_000 }, () => {
    let changed = 0;
    let opened = 0;
    for (const text of texts) {
      const form = canonical(text);
      forms.set(form, [...(forms.get(form) ?? []), text]);
      if (form.includes('<ANY:')) opened += 1;
      else if (!form.includes('ANY:') && checkForm(text, form)) changed += 1;
    }
    console.log(`${texts.length} texts, ${changed} changed, ${opened} with something left open, ${forms.size} forms`);
    expect(changed).toBeGreaterThan(texts.length / 20);
    expect(opened).toBeGreaterThan(100);
  });

  test('have one form only when their effects and verdicts are equal', { timeout: 600_000 }, () => {
    const shared = [...forms.values()].filter((members) => members.length > 1);
    for (const [first = '', ...others] of shared)
      for (const other of others) expect(outcome(read(other)), `${first}\n${other}`).toEqual(outcome(read(first)));
    console.log(`${shared.length} forms are shared by ${shared.flat().length} texts`);
    expect(shared.length).toBeGreaterThan(100);
  });
});

const fragments = [
  ' ', '\n', ';', '&&', '||', '|', '|&', '&', '(', ')', '{ ', ' }', '$(', '`', '"', "'", "$'", '\\', '\\\n', '$', '${', '}', '$((', '))', '[[', ']]',
  '<', '>', '>>', '<<', '<<<', '<(', '>(', '2>&1', '1>', '&>', 'EOF', '#', ' # ', '!', '*', '?', '[', ']', '~', '=', '{a,b}', '<ANY:text>', '<LITERAL:ANY:',
  'if ', '; then ', '; else ', '; fi', 'for x in ', '; do ', '; done', 'while ', 'time ', 'ls', 'echo ', 'a', ' -n', ' 2', 'x=1', '$x', 'cd . && ', 'cd /home/u/proj && ',
  ' | head -3', ' | grep x', ' | tail -n 2', '\u0000', '\ud800', '\ue000', '\u200b', '\u00a0', '\r', '\t', 'é',
]; // biome-ignore format: a table
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => `ls ${parts.join('')}`),
);

describe('any text', () => {
  test('has a form, which is its own form and means the same', { timeout: 60_000 }, () => {
    let understood = 0;
    fc.assert(
      fc.property(anything, (text) => {
        const form = canonical(text);
        if (layOut(text, { ...context, reading: read(text) }) !== undefined) understood += 1;
        if (!form.includes('ANY:')) checkForm(text, form);
      }),
      { numRuns: 4000, seed: 21 },
    );
    expect(understood).toBeGreaterThan(200);
  });

  test('keeps stand-ins of its own apart from those put in', () => {
    const pieces = fc.constantFrom(
      '<',
      'LITERAL:',
      'ANY:',
      'text>',
      'number>',
      '<ANY:number>',
      "'",
      ' ',
      'echo ',
      '"',
      '\\',
    );
    const loose = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(loose, loose, (one, other) => {
        expect(canonical(one)).not.toMatch(/<ANY:/);
        const [first, second] = [canonical(one), canonical(other)];
        if (first === second) expect(outcome(read(one))).toEqual(outcome(read(other)));
      }),
      { numRuns: 2000, seed: 22 },
    );
  });

  test('does not trust a reading of another text, or one that is not whole', () => {
    const reading = read('ls  -la');
    expect(canonicalCommand("ls  'b'", { ...context, reading })).toBe("ls  'b'");
    expect(canonicalCommand('ls  -la', { ...context, reading: { ...reading, complete: false } })).toBe('ls  -la');
    expect(canonical('unheard-of  a')).toBe('unheard-of  a');
  });
});

const growing: readonly (readonly [string, (size: number) => string])[] = [
  ['blanks', (size) => `ls ${' '.repeat(size)}a`],
  ['comments', (size) => `${'# a\n'.repeat(size)}ls`],
  ['continuations', (size) => `ls ${'\\\n'.repeat(size)}a`],
  ['words', (size) => `ls ${'"a" '.repeat(size)}`],
  ['quotes in a word', (size) => `ls ${"'a'b".repeat(size)}`],
  ['redirections', (size) => `ls ${'2>&1 '.repeat(size)}`],
  ['statements', (size) => 'ls; '.repeat(size)],
  ['lines', (size) => 'ls\n'.repeat(size)],
  ['members of a pipeline', (size) => `npm test${' | head -3'.repeat(size)}`],
  ['members of a chain', (size) => `${'cd . && '.repeat(size)}ls`],
  ['stand-ins', (size) => `echo '${'<LITERAL:ANY:'.repeat(size)}'`],
];

describe('growing text', () => {
  test.each(growing)('%s: work grows with the size', (_name, make) => {
    const steps = (size: number): number => layOut(make(size), { ...context, reading: read('ls') })?.steps ?? 0;
    const [small, large] = [steps(200), steps(400)];
    expect(small).toBeGreaterThan(200);
    expect(large).toBeLessThanOrEqual(small * 2.1);
    expect(canonical(make(400)).length).toBeGreaterThan(0);
  });

  const limits: readonly (readonly [string, string])[] = [
    ['1 MB of blanks', `ls ${' '.repeat(1_048_570)}`],
    ['1 MB in quotes', `echo '${'a '.repeat(500_000)}'`],
    ['1 MB of stand-ins', '<LITERAL:ANY:'.repeat(80_000)],
    ['1 MB in quotes between many equals signs', `echo '${'a '.repeat(500_000)}'${'=a'.repeat(4500)}`],
    ['many entered directories', `${'cd . && '.repeat(1200)}ls`],
    ['5 000 nested groups', `${'( '.repeat(5000)}ls${' )'.repeat(5000)}`],
    ['5 000 substitutions without an end', '$('.repeat(5000)],
    ['40 nested groups', `${'( '.repeat(40)}ls${' )'.repeat(40)}`],
  ];
  test.each(limits)('%s has a form', (_name, text) => {
    const started = performance.now();
    expect(canonical(text).length).toBeGreaterThan(0);
    // Far above what it takes: only a blow-up comes near.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
