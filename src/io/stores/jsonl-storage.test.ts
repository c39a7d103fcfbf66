import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { HookwiseError } from '../../core/model/errors.ts';
import type { ScopeLevel, Verdict } from '../../core/model/verdict.ts';
import { scratch } from '../files/scratch.cases.ts';
import { jsonlBackend, type StorageBackend } from './jsonl-storage.ts';
import { at, noon, record } from './stores.cases.ts';
import { trustStore } from './trust.ts';
import { loadUserKey } from './user-key.ts';

let top: string;
let storage: StorageBackend;
const by = { who: 'user:ada', when: at };
const scopes: readonly ScopeLevel[] = ['org', 'project', 'user'];

const open = (orgs: readonly string[] = ['acme']): StorageBackend => {
  const state = join(top, 'state');
  const key = loadUserKey(state);
  const trust = trustStore({ state, key, identity: join(top, 'repo') });
  return jsonlBackend({
    root: join(top, 'repo'),
    config: join(top, 'config'),
    state,
    key,
    trust,
    orgs,
    now: () => noon,
  });
};

beforeEach(() => {
  top = scratch();
  mkdirSync(join(top, 'repo'));
  storage = open();
});

describe('jsonlBackend', () => {
  it.each(scopes.flatMap((scope) => (['allow', 'deny', 'ask'] as const).map((verdict) => [scope, verdict] as const)))(
    'keeps what it saves: %s %s, in the file of that verdict',
    (scope, verdict) => {
      const saved = record({ scope, decision: verdict, actor: by.who });
      storage.saveDecision(saved, by);
      expect(storage.loadDecisions(scope)).toEqual([saved]);
      expect(open().loadDecisions(scope)).toEqual([saved]);
      expect(readFileSync(storage.jsonlPath(scope, verdict)!, 'utf8')).toContain('pytest --cov');
      for (const other of scopes) if (other !== scope) expect(storage.loadDecisions(other)).toEqual([]);
    },
  );

  it.each<[scope: ScopeLevel, verdict: Verdict, place: string]>([
    ['project', 'allow', 'repo/.hookwise/rules/allow.jsonl'],
    ['project', 'ask', 'repo/.hookwise/rules/ask.jsonl'],
    ['user', 'deny', 'config/user/rules.jsonl'],
    ['org', 'deny', 'config/org/acme/rules/deny.jsonl'],
  ])('%s %s lives in %s', (scope, verdict, place) => expect(storage.jsonlPath(scope, verdict)).toBe(join(top, place)));

  it('gives an allow of the repository only once a person stands behind it', () => {
    storage.saveDecision(record());
    storage.saveDecision(record({ decision: 'deny', input: 'npm publish' }));
    expect(storage.loadDecisions('project').map(({ decision }) => decision)).toEqual(['deny']);
    storage.saveDecision(record({ actor: by.who }), by);
    expect(storage.loadDecisions('project').map(({ decision }) => decision)).toEqual(['allow', 'deny']);
  });

  it('leaves out what has expired', () => {
    storage.saveDecision(record({ scope: 'user', expires_at: '2026-03-01T11:00:00.000Z' }));
    storage.saveDecision(record({ scope: 'user', input: 'b', expires_at: '2026-03-01T13:00:00.000Z' }));
    expect(storage.loadDecisions('user').map(({ key }) => key.sanitized_input)).toEqual(['b']);
  });

  it('says of each record who stands behind it, and when', () => {
    storage.saveDecision(record({ scope: 'user', timestamp: '', call: 'q-1' }), by);
    expect(storage.loadDecisions('user')).toMatchObject([
      {
        actor: by.who,
        timestamp: expect.stringMatching(/^2026-/),
        call: 'q-1',
        session_id: 's-1',
        metadata: { tier: 'Human' },
      },
    ]);
  });

  it('writes nothing that it says already', () => {
    storage.saveDecision(record({ scope: 'user', role: '*' }), by);
    storage.saveDecision(record({ scope: 'user' }), by);
    expect(storage.loadDecisions('user').map(({ key }) => key.role)).toEqual(['*']);
  });

  it('finds the records for a role and for every role', () => {
    for (const role of ['tester', 'docs', '*']) storage.saveDecision(record({ scope: 'user', role, decision: 'ask' }));
    expect(storage.loadDecisionsForRole('user', 'docs').map(({ key }) => key.role)).toEqual(['docs', '*']);
  });

  it('forgets one role, or a whole scope', () => {
    for (const role of ['tester', 'docs', '*']) storage.saveDecision(record({ role, decision: 'deny' }));
    expect(storage.invalidateRole('project', 'docs')).toBe(1);
    expect(storage.loadDecisions('project').map(({ key }) => key.role)).toEqual(['tester', '*']);
    expect(storage.invalidateAll('project')).toBe(2);
    expect(storage.loadDecisions('project')).toEqual([]);
  });

  it('makes the index anew', () => {
    storage.saveDecision(record(), by);
    for (const scope of [...scopes, 'role'] as const) expect(() => storage.rebuildIndex(scope)).not.toThrow();
  });

  it('names an index that cannot be written', () => {
    writeFileSync(join(top, 'state', 'index'), 'not a directory', { mode: 0o600 });
    expect(() => storage.rebuildIndex('project')).toThrow(/^index build error: /);
  });

  it.each<[name: string, save: () => void, why: RegExp]>([
    ['at role scope', () => storage.saveDecision(record({ scope: 'role' })), /nothing is stored at role scope/],
    ['without an organisation', () => open([]).saveDecision(record({ scope: 'org' })), /no organisation is configured/],
    [
      'with a secret',
      () => storage.saveDecision(record({ input: `x AKIA${'Z'.repeat(4)}Q7RTY2PLMNB4` })),
      /holds a secret/,
    ],
  ])('refuses to save %s', (_, save, why) => {
    expect(save).toThrow(HookwiseError);
    expect(save).toThrow(why);
  });

  it('holds nothing at role scope', () => {
    expect(storage.loadDecisions('role')).toEqual([]);
    expect(storage.scopeDirectory('role')).toBeUndefined();
  });
});

describe('scanForSecrets', () => {
  const secret = `AKIA${'Z'.repeat(4)}Q7RTY2PLMNB4`;

  it('says file, line and kind, and never the secret', () => {
    const file = join(top, 'rules.jsonl');
    writeFileSync(file, `{"command":"ls"}\n{"command":"x ${secret}"}\n`);
    const found = storage.scanForSecrets(top);
    expect(found).toEqual([{ file, line: 2, detector: expect.any(String), description: expect.any(String) }]);
    expect(JSON.stringify(found)).not.toContain(secret);
  });

  it('sees through the escapes of JSON', () => {
    writeFileSync(join(top, 'rules.jsonl'), JSON.stringify({ command: secret }).replace('AKIA', '\\u0041KIA'));
    expect(storage.scanForSecrets(top)).toHaveLength(1);
  });

  it('finds nothing in what hookwise itself stored', () => {
    storage.saveDecision(record({ input: "curl -H 'Authorization: Bearer <SECRET:bearer>' https://example.org" }), by);
    storage.saveDecision(record({ scope: 'user', input: 'git status' }), by);
    expect(storage.scanForSecrets(join(top, 'repo'))).toEqual([]);
    expect(storage.scanForSecrets(join(top, 'config'))).toEqual([]);
  });

  it('a path that is not there is an error, never clean', () => {
    expect(() => storage.scanForSecrets(join(top, 'nowhere'))).toThrow(/^io error: /);
  });
});
