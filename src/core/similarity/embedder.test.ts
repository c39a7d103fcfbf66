import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changed,
  notToldApart,
  otherTools,
  type PairCase,
  sameButData,
  sameIntent,
  sameThing,
  unrelated,
} from './embedder.cases.ts';
import { cosine, localEmbedder } from './embedder.ts';
import { featureVector } from './embedding-features.ts';
import { quantise } from './embedding-hash.ts';

const embedder = localEmbedder();
const threshold = 0.85;
const near = (one: string, other: string, tool = 'Bash'): number =>
  cosine(embedder.embed({ tool, text: one }), embedder.embed({ tool, text: other }));

/** Commands with holes for data, as people approve them. */
const forms = [
  'eslint {}',
  'pytest -x {}',
  'cat {}',
  'git add {}',
  'mkdir -p {}',
  'git commit -m "{} {}"',
  'npm test -- {}',
  'cp {} {}',
  'rg -n "{}" src',
  'go test -v ./{}',
  'wc -l {} | sort -n',
];
const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789_-'];
const word = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 })
  .filter((text) => /^[a-z]/.test(text));
const path = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '.ts', '.md', '.py'))
  .map(([parts, extension]) => parts.join('/') + extension);
const form = fc.constantFrom(...forms);
const fill = (template: string, data: readonly string[]): string => {
  let turn = 0;
  return template.replace(/\{\}/g, () => data[turn++ % data.length] ?? 'x');
};
const someData = fc.array(path, { minLength: 1, maxLength: 2 });

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .array(fc.constantFrom(...'"\'`$(){}<>|&;#\\\n \t=-{["a:,0', '<<EOF', '$(', '<SECRET:x>', '\ud800'), {
      maxLength: 200,
    })
    .map((parts) => parts.join('')),
  fc.tuple(form, someData).map(([template, data]) => fill(template, data)),
);
const anyTool = fc.constantFrom('Bash', 'Write', 'mcp__x__y', '__proto__', 'constructor', '');

describe('localEmbedder', () => {
  it.each(sameButData)('differs in data only: %s | %s', (one, other) => {
    expect(near(one, other)).toBeGreaterThanOrEqual(threshold);
  });
  it.each(sameThing)('is the same by another name: %s | %s', (one, other) => {
    expect(near(one, other)).toBeGreaterThanOrEqual(threshold);
  });
  it.each(sameIntent)('wants the same: %s | %s', (one, other) => {
    expect(near(one, other)).toBeGreaterThanOrEqual(0.3);
    expect(near(one, other)).toBeLessThan(threshold);
  });
  it.each(unrelated)('has nothing to do with it: %s | %s', (one, other) => {
    expect(near(one, other)).toBeLessThan(0.5);
  });
  it.each(changed)('does something else: %s | %s', (one, other) => {
    expect(near(one, other)).toBeLessThan(threshold);
  });
  it.each(notToldApart)('is not told apart: %s | %s', (one, other) => {
    expect(near(one, other)).toBeGreaterThanOrEqual(threshold);
  });
  it.each(otherTools)('%s %s | %s: %s', (tool, one, other, isMatch) => {
    expect(near(one, other, tool) >= threshold).toBe(isMatch);
  });

  it('tells tools apart, but not the tools of one family', () => {
    const of = (tool: string): Int8Array => embedder.embed({ tool, text: 'src/a.ts' });
    expect(cosine(of('Write'), of('Edit'))).toBe(1);
    expect(cosine(of('Write'), of('Read'))).toBeLessThan(0.5);
  });

  it('counts effects, less than what a command is', () => {
    const of = (effects: readonly string[]): Int8Array => embedder.embed({ tool: 'Bash', text: 'make', effects });
    expect(cosine(of(['write src']), of(['write src']))).toBe(1);
    const other = cosine(of(['write src']), of(['connect example.org']));
    expect(other).toBeLessThan(1);
    expect(other).toBeGreaterThanOrEqual(threshold);
  });

  it('tells long texts apart by what comes after the part that it reads', () => {
    const long = `echo ${'x'.repeat(9000)}`;
    expect(near(long, `${long}; rm -rf build`)).toBeLessThan(threshold);
    expect(near(`${'ls; '.repeat(600)}a`, `${'ls; '.repeat(600)}b`)).toBeLessThan(threshold);
    expect(near(`{"a":"${'x'.repeat(9000)}"}`, `{"a":"${'x'.repeat(9000)}y"}`, 'mcp__x__y')).toBeLessThan(threshold);
  });

  it('keeps every call that differs in data only above the threshold', () => {
    fc.assert(
      fc.property(form, someData, someData, (template, one, other) => {
        expect(near(fill(template, one), fill(template, other))).toBeGreaterThanOrEqual(threshold);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every call with one more option below the threshold', () => {
    const option = word.map((text) => `--${text}`);
    fc.assert(
      fc.property(
        form.filter((text) => !text.includes('|')),
        someData,
        fc.uniqueArray(option, { minLength: 1, maxLength: 6 }),
        (template, data, options) => {
          const call = fill(template, data);
          const [last, ...before] = options;
          const one = [call, ...before].join(' ');
          expect(near(one, `${one} ${last}`)).toBeLessThan(threshold);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('takes any text, gives the same vector for the same call, and a cosine of 1 with itself', () => {
    fc.assert(
      fc.property(
        anyTool,
        anyText,
        fc.option(fc.array(anyText, { maxLength: 4 }), { nil: undefined }),
        (tool, text, effects) => {
          const input = effects === undefined ? { tool, text } : { tool, text, effects };
          const vector = embedder.embed(input);
          expect(vector).toHaveLength(embedder.dimensions);
          expect(vector).toEqual(localEmbedder().embed(input));
          expect(cosine(vector, vector)).toBeCloseTo(1, 12);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('takes hostile lengths in linear time', () => {
    const texts = ['"', '\\"', '$(', '<<A ', '`', "'", ': ', 'a=', '-', '(', '{"a":"\\', '../', '\n#'];
    for (const text of texts) {
      for (const tool of ['Bash', 'mcp__x__y']) {
        const input = { tool, text: `{"${text.repeat(300_000)}` };
        expect(embedder.embed(input)).toHaveLength(embedder.dimensions);
      }
    }
  });

  it('never changes what a version means', () => {
    // A new number here needs a new name of the embedder: indexes made before are of no use.
    const sum = embedder.embed({ tool: 'Bash', text: 'git push origin main && npm test -- src/a.ts > out.txt' });
    expect([embedder.name, sum.reduce((total, value, at) => (total * 31 + value + at) % 1_000_003, 7)]).toEqual([
      'hookwise-commands-1',
      674420,
    ]);
  });
});

describe('quantise', () => {
  it.each<[PairCase]>([...sameButData, ...changed, ...sameIntent, ...unrelated].map((pair) => [pair]))(
    'moves the cosine by less than 0.01: %s',
    ([one, other]) => {
      const plain = (text: string): Float64Array =>
        featureVector({
          heads: text.split(' ').map((name) => ({
            name,
            program: name,
            intent: name,
            around: [],
            options: [name],
            valued: [],
            operands: [name],
            code: [],
          })),
          structure: [],
          rest: 0,
          effects: undefined,
        });
      const [a, b] = [plain(one), plain(other)];
      const exact = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
      expect(Math.abs(cosine(quantise(a), quantise(b)) - exact)).toBeLessThan(0.01);
    },
  );

  it('gives zeros for what has no direction', () => {
    for (const vector of [[0, 0], [Number.NaN, 1], [Number.POSITIVE_INFINITY, 1], []]) {
      expect([...quantise(vector)]).toEqual(vector.map(() => 0));
    }
    expect(cosine(quantise([0, 0]), quantise([1, 1]))).toBe(0);
  });
});
