import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../../core/model/record.ts';
import type { Verdict } from '../../core/model/verdict.ts';
import { cosine, type Embedder, localEmbedder } from '../../core/similarity/embedder.ts';
import { type EmbeddingSimilarity, embeddingSimilarity, modelSimilarity } from './embedding-similarity.ts';

type Change = Partial<DecisionRecord> & { readonly role?: string; readonly tool?: string };

const record = (input: string, change: Change = {}): DecisionRecord => {
  const { role = 'coder', tool = 'Bash', ...rest } = change;
  return {
    v: 1,
    key: { sanitized_input: input, tool, role },
    decision: 'allow',
    metadata: { tier: 'Human', confidence: 1, reason: '' },
    timestamp: '2026-03-01T12:00:00.000Z',
    scope: 'project',
    session_id: 's1',
    ...rest,
  };
};

const embedder = localEmbedder();
const memory = (records: readonly DecisionRecord[] = [], threshold = 0.85): EmbeddingSimilarity => {
  const made = embeddingSimilarity({ embedder, threshold });
  made.buildIndex(records);
  return made;
};
const call = (text: string, tool = 'Bash') => ({ tool, text });
const inputs = (found: readonly { readonly record: DecisionRecord }[]): string[] =>
  found.map(({ record: { key } }) => key.sanitized_input);

const tests = [record('pytest --cov tests/auth/'), record('npm test'), record('git push'), record('cat README.md')];

/** Words to make commands of, so that many are alike. */
const anyCommand = fc
  .tuple(
    fc.constantFrom('cat', 'ls -l', 'git add', 'npm test --', 'rm -rf'),
    fc.constantFrom('src/a.ts', 'src/b.ts', 'docs', '../x', 'tests/unit'),
  )
  .map((parts) => parts.join(' '));
const anyRecord = fc
  .tuple(anyCommand, fc.constantFrom('coder', 'docs', '*'), fc.constantFrom<Verdict>('allow', 'deny', 'ask'))
  .map(([input, role, decision]) => record(input, { role, decision }));

describe('embeddingSimilarity', () => {
  it.each<[string, string | undefined]>([
    ['pytest --cov tests/api/', 'pytest --cov tests/auth/'],
    ['yarn test', 'npm test'],
    ['less README.md', 'cat README.md'],
    ['git push', 'git push'],
    ['git push --force', undefined],
    ['git pull', undefined],
    ['', undefined],
  ])('finds the nearest above the threshold: %s → %s', (text, nearest) => {
    const found = memory(tests).search(call(text));
    expect(found?.record.key.sanitized_input).toBe(nearest);
    if (found !== undefined) {
      expect(found.score).toBe(cosine(embedder.embed(call(text)), found.embedding));
      expect(found.embedding).toEqual(embedder.embed(call(found.record.key.sanitized_input)));
    }
  });

  it('gives all neighbours, best first, of equals the first added', () => {
    const records = ['cat a.ts', 'cat b.ts', 'cat a.ts'].map((input, role) => record(input, { role: `r${role}` }));
    const found = memory(records).neighbours(call('cat b.ts'));
    expect(inputs(found)).toEqual(['cat b.ts', 'cat a.ts', 'cat a.ts']);
    expect(found.map(({ record: { key } }) => key.role)).toEqual(['r1', 'r0', 'r2']);
  });

  it('asks which records count', () => {
    const made = memory([record('cat a.ts', { decision: 'deny' }), record('cat b.ts')]);
    expect(inputs(made.neighbours(call('cat c.ts'), ({ decision }) => decision === 'deny'))).toEqual(['cat a.ts']);
    expect(made.search(call('cat c.ts'), () => false)).toBeUndefined();
  });

  it('keeps the last of two records about the same call in the same scope', () => {
    const made = memory([record('npm test', { decision: 'deny' }), record('npm test', { scope: 'user' })]);
    made.insert(record('npm test'));
    expect(made.neighbours(call('npm test')).map((one) => [one.record.scope, one.record.decision])).toEqual([
      ['user', 'allow'],
      ['project', 'allow'],
    ]);
  });

  it('leaves out what holds for more than one call', () => {
    const made = memory([
      record('npm test', { pattern: { command: 'npm *' } }),
      record('npm test', { slots: ['path'] }),
    ]);
    expect(made.search(call('npm test'))).toBeUndefined();
  });

  it('sees of a record what it is told to', () => {
    const made = embeddingSimilarity({ embedder, threshold: 0.99, inputOf: () => call('ls') });
    made.insert(record('npm test'));
    expect(made.search(call('ls'))?.record.key.sanitized_input).toBe('npm test');
  });

  it('forgets one role, and everything', () => {
    const made = memory([record('ls'), record('ls', { role: 'docs' }), record('ls', { role: '*' })]);
    expect(made.invalidateRole('coder')).toBe(1);
    expect(made.neighbours(call('ls')).map((one) => one.record.key.role)).toEqual(['docs', '*']);
    expect(made.invalidateAll()).toBe(2);
    expect(made.invalidateAll()).toBe(0);
    expect(made.search(call('ls'))).toBeUndefined();
    made.insert(record('ls'));
    expect(made.search(call('ls'))?.score).toBe(1);
  });

  it('finds the same whether records came at once, one by one, or from a saved index', () => {
    fc.assert(
      fc.property(
        fc.array(anyRecord, { maxLength: 40 }),
        fc.array(anyRecord, { maxLength: 20 }),
        anyCommand,
        (first, more, text) => {
          const atOnce = memory([...first, ...more]);
          const grown = memory(first);
          grown.saveIndex();
          for (const one of more) grown.insert(one);
          const loaded = memory();
          expect(loaded.loadIndex(atOnce.saveIndex(), [...first, ...more])).toBe(true);
          const found = atOnce.neighbours(call(text));
          expect(grown.neighbours(call(text))).toEqual(found);
          expect(loaded.neighbours(call(text))).toEqual(found);
          expect(memory().loadIndex(grown.saveIndex(), [...first, ...more])).toBe(true);
          expect(loaded.invalidateRole('docs')).toBe(grown.invalidateRole('docs'));
          expect(loaded.neighbours(call(text))).toEqual(grown.neighbours(call(text)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds what came after the index was made, before and after it is made again', () => {
    const made = memory();
    const command = (number: number): string => `cat src/file-${number}.ts`;
    for (let number = 0; number < 1500; number++) {
      made.insert(record(command(number)));
      if (number % 250 === 0) {
        for (const known of [0, number >> 1, number]) {
          expect(made.neighbours(call(command(known)))[0]?.record.key.sanitized_input).toBe(command(known));
        }
      }
    }
    expect(made.neighbours(call(command(3)))).toHaveLength(1500);
  });

  it('takes no index of other records, another embedder, or with damage', () => {
    const saved = memory(tests).saveIndex();
    const other = embeddingSimilarity({ embedder: { ...embedder, name: 'hookwise-commands-0' }, threshold: 0.85 });
    const changed = Buffer.from(saved);
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
    const made = memory([record('ls')]);
    expect(other.loadIndex(saved, tests)).toBe(false);
    expect(made.loadIndex(saved, tests.slice(1))).toBe(false);
    expect(made.loadIndex(saved, tests.toReversed())).toBe(false);
    expect(made.loadIndex(changed, tests)).toBe(false);
    expect(made.loadIndex(saved.subarray(0, 100), tests)).toBe(false);
    expect(made.search(call('ls'))?.score).toBe(1);
    expect(made.loadIndex(saved, tests)).toBe(true);
    expect(made.search(call('ls'))).toBeUndefined();
  });
});

describe('modelSimilarity', () => {
  const slow: Embedder = { ...embedder, embed: async (input) => embedder.embed(input) };

  it('finds the same', async () => {
    const made = modelSimilarity({ embedder: slow, threshold: 0.85 });
    await made.buildIndex(tests.slice(1));
    await made.insert(record('pytest --cov tests/auth/'));
    expect((await made.search(call('pytest --cov tests/api/')))?.record.key.sanitized_input).toBe(
      'pytest --cov tests/auth/',
    );
    expect(await made.neighbours(call('yarn test'))).toEqual(memory(tests).neighbours(call('yarn test')));
    expect(await made.embed(call('ls'))).toEqual(embedder.embed(call('ls')));
    const again = modelSimilarity({ embedder: slow, threshold: 0.85 });
    expect(again.loadIndex(made.saveIndex(), [...tests.slice(1), tests[0] ?? record('')])).toBe(true);
    expect(again.invalidateAll()).toBe(4);
  });

  it('passes on what the embedder rejects with', async () => {
    const broken: Embedder = { ...embedder, embed: () => Promise.reject(new Error('no model')) };
    const made = modelSimilarity({ embedder: broken, threshold: 0.85 });
    await expect(made.insert(record('ls'))).rejects.toThrow('no model');
    await expect(made.search(call('ls'))).rejects.toThrow('no model');
  });
});
