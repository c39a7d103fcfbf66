import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DecisionRecord } from '../../core/model/record.ts';
import { localEmbedder } from '../../core/similarity/embedder.ts';
import { shellLanguage } from '../../core/similarity/language.ts';
import { saveDecision } from '../stores/rules-change.ts';
import { signatureOf } from '../stores/rules-file.ts';
import { projectRules } from '../stores/rules-location.ts';
import { trustStore } from '../stores/trust.ts';
import { buildLocationIndex, indexDirectory, type LocationIndexOptions, openLocationIndex } from './location-index.ts';
import { similarMemory } from './similar-memory.ts';
import { readStamp, stampPath, writeStamp } from './stamp.ts';

const key = new Uint8Array(32).fill(7);
let base: string;
let root: string;
let options: LocationIndexOptions;
const by = { who: 'user:ada', when: '2026-01-01T00:00:00.000Z' };

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'similar-'));
  root = join(base, 'project');
  mkdirSync(join(root, '.hookwise'), { recursive: true });
  const state = join(base, 'state');
  const trust = trustStore({ state, key, identity: root });
  options = {
    location: projectRules(root),
    trust,
    state,
    key,
    build: 'test',
    shell: () => shellLanguage,
    embedder: localEmbedder(),
    place: { root, home: base, user: 'ada' },
  };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const record = (input: string, more: Partial<DecisionRecord> = {}): DecisionRecord => ({
  v: 1,
  key: { sanitized_input: input, tool: 'Bash', role: 'coder' },
  decision: 'allow',
  metadata: { tier: 'Human', confidence: 1, reason: '' },
  timestamp: '2026-01-01T00:00:00.000Z',
  scope: 'project',
  session_id: 's1',
  context: 'root',
  ...more,
});

const save = (...inputs: readonly DecisionRecord[]): void => {
  for (const one of inputs) {
    const { trust, state } = options;
    saveDecision(options.location, one, {
      state,
      by,
      ...('addTrusted' in trust ? { trust: trustStore({ state, key, identity: root }) } : {}),
    });
  }
  options = { ...options, trust: trustStore({ state: options.state, key, identity: root }) };
};

const rebuild = (): void => buildLocationIndex(options).close();

const nearest = (text: string, more: { readonly shape?: string; readonly now?: number } = {}) => {
  const memory = similarMemory({ ...options, locations: [options.location], now: () => more.now ?? 0 });
  try {
    const { found, problem } = memory.nearTokens({
      tool: 'Bash',
      text,
      threshold: 0.5,
      ...(more.shape === undefined ? {} : { shape: more.shape }),
    });
    return (
      problem ??
      found.map((neighbour) => `${neighbour.entry.verdict} ${neighbour.text} :${neighbour.entry.source.line}`)
    );
  } finally {
    memory.close();
  }
};

describe('the similarity index of a location', () => {
  it('answers from disk after it was made, and knows lines and verdicts', () => {
    save(record('pytest tests/a.py'), record('pytest tests/b.py', { decision: 'deny' }));
    expect(openLocationIndex(options)).toBeUndefined();
    rebuild();
    const index = openLocationIndex(options);
    expect(index?.answeredBy).toBe('index');
    expect(index?.entries.documents).toBe(2);
    index?.close();
    expect(nearest('pytest tests/a.py')).toEqual(['allow pytest tests/a.py :1', 'deny pytest tests/b.py :1']);
  });

  it('gives of the allows only those of the shape that is asked for, and every restriction', () => {
    save(
      record('pytest tests/a.py'),
      record('pytest -x tests/a.py'),
      record('pytest --rootdir=x tests/a.py', { decision: 'ask' }),
    );
    expect(nearest('pytest tests/a.py', { shape: 'pytest <ANY:selector>' })).toEqual([
      'allow pytest tests/a.py :1',
      'ask pytest --rootdir=x tests/a.py :1',
    ]);
    expect(nearest('pytest tests/a.py', { shape: '' })).toEqual(['ask pytest --rootdir=x tests/a.py :1']);
  });

  it('follows lines that anybody adds', () => {
    save(record('pytest tests/a.py', { decision: 'deny' }));
    rebuild();
    const file = join(options.location.path, 'deny.jsonl');
    appendFileSync(file, `${JSON.stringify(record('pytest tests/c.py', { decision: 'deny' }))}\n`);
    const index = openLocationIndex(options);
    expect([index?.answeredBy, index?.entries.documents, index?.added?.entries.documents]).toEqual(['index', 1, 1]);
    index?.close();
    expect(nearest('pytest tests/c.py')).toEqual(['deny pytest tests/c.py :2', 'deny pytest tests/a.py :1']);
    expect(nearest('pytest tests/c.py')).toHaveLength(2);
  });

  it('is made anew when anything before the end of a file changed, or a line went', () => {
    save(record('pytest tests/a.py', { decision: 'deny' }), record('pytest tests/b.py', { decision: 'deny' }));
    rebuild();
    const file = join(options.location.path, 'deny.jsonl');
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      `${text.replace('a.py', 'c.py')}${JSON.stringify(record('pytest tests/d.py', { decision: 'deny' }))}\n`,
    );
    expect(openLocationIndex(options)).toBeUndefined();
    expect(nearest('pytest tests/c.py')).toHaveLength(3);
    writeFileSync(file, text.split('\n').slice(1).join('\n'));
    expect(openLocationIndex(options)).toBeUndefined();
    expect(nearest('pytest tests/c.py')).toEqual(['deny pytest tests/b.py :1']);
  });

  it('keeps up with answers, one by one, and is made anew after many', () => {
    save(record('pytest tests/a.py'));
    rebuild();
    for (let number = 0; number < 70; number++) {
      save(record(`pytest tests/x${number}.py`));
      expect(nearest(`pytest tests/x${number}.py`)[0]).toBe(`allow pytest tests/x${number}.py :${number + 2}`);
    }
    const index = openLocationIndex(options);
    expect(index?.entries.documents).toBeGreaterThan(60);
    index?.close();
  });

  it('does not count an allow of the repository that nobody trusts', () => {
    mkdirSync(options.location.path, { recursive: true });
    writeFileSync(join(options.location.path, 'allow.jsonl'), `${JSON.stringify(record('pytest tests/a.py'))}\n`);
    expect(nearest('pytest tests/a.py')).toEqual([]);
  });

  it('leaves out what has expired, what is an override, and allows for shapes or of redacted calls', () => {
    save(
      record('pytest tests/a.py', { expires_at: '2026-02-01T00:00:00.000Z' }),
      record('pytest <ANY:selector>', { slots: ['selector'] }),
      record('pytest tests', {
        pattern: { command: 'pytest *' },
        metadata: { tier: 'Override', confidence: 1, reason: '' },
      }),
    );
    expect(nearest('pytest tests/a.py', { now: Date.parse('2026-01-15') })).toEqual(['allow pytest tests/a.py :1']);
    expect(nearest('pytest tests/a.py', { now: Date.parse('2026-02-15') })).toEqual([]);
  });
});

describe('an index that somebody else put there', () => {
  const artefact = (): string => join(indexDirectory(options.location), 'jaccard.bin');

  it('is not used, whatever it holds', () => {
    save(record('pytest tests/a.py', { decision: 'deny' }));
    rebuild();
    const bytes = readFileSync(artefact());
    rmSync(artefact());
    writeFileSync(artefact(), bytes);
    expect(openLocationIndex(options)).toBeUndefined();
    expect(nearest('pytest tests/a.py')).toHaveLength(1);
  });

  it('is not written through a link', () => {
    save(record('pytest tests/a.py'));
    rmSync(indexDirectory(options.location), { recursive: true, force: true });
    const elsewhere = join(base, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, indexDirectory(options.location));
    expect(buildLocationIndex(options).notWritten).toMatch(/not a real directory/);
    expect(existsSync(join(elsewhere, 'jaccard.bin'))).toBe(false);
    expect(nearest('pytest tests/a.py')).toHaveLength(1);
  });

  it.each(['similar.bin', 'jaccard.bin'])(
    'damaged under a stamp that fits (%s), it allows nothing and says so',
    (name) => {
      save(record('pytest tests/a.py'));
      rebuild();
      const path = join(indexDirectory(options.location), name);
      const bytes = readFileSync(path);
      bytes.fill(0xff, Math.floor(bytes.length / 2));
      writeFileSync(path, bytes);
      const stamp = readStamp(stampPath(options.state, options.location), key);
      if (stamp === undefined) throw new Error('no stamp');
      const artefacts = stamp.artefacts.map((artefact) => signatureOf(artefact.path));
      writeStamp(stampPath(options.state, options.location), { ...stamp, artefacts }, key);
      const found = nearest('pytest tests/a.py');
      // Damage on the first page shows at opening, and the index is made anew; further on it shows in the answer.
      expect(typeof found === 'string' ? 'damaged' : found).toEqual(
        typeof found === 'string' ? 'damaged' : ['allow pytest tests/a.py :1'],
      );
      if (typeof found === 'string') expect(found).toMatch(/damaged; hookwise build/);
    },
  );
});
