import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HookwiseError } from '../../core/model/errors.ts';
import { scratch } from '../files/scratch.cases.ts';
import { type SessionStore, sessionStore } from './sessions.ts';
import { at } from './stores.cases.ts';

const sanitize = (text: string): string => text.replaceAll('hunter2', '[REDACTED]');
const setup = (team?: string): { store: SessionStore; directory: string; state: string } => {
  const state = join(scratch(), 'state');
  return {
    state,
    directory: join(state, 'sessions'),
    store: sessionStore({ state, sanitize, ...(team === undefined ? {} : { team }) }),
  };
};
const plant = (directory: string, name: string, text: string | Uint8Array): void => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, name), text, { mode: 0o600 });
};

describe('sessions', () => {
  it('go from unregistered to registered to disabled and back', () => {
    const { store } = setup();
    expect(store.lookup('a')).toEqual({ kind: 'unregistered' });
    const entry = store.register({
      sessionId: 'a',
      role: 'tester',
      task: 'use hunter2',
      registeredBy: 'team-lead',
      at,
    });
    expect(entry).toEqual({ role: 'tester', task: 'use [REDACTED]', registered_at: at, registered_by: 'team-lead' });
    expect(store.lookup('a')).toEqual({ kind: 'registered', entry });
    expect([store.disable('a'), store.disable('a'), store.lookup('a').kind]).toEqual([true, false, 'disabled']);
    expect([store.enable('a'), store.enable('a'), store.lookup('a').kind]).toEqual([true, false, 'registered']);
    expect(store.switchRole('a', { role: 'docs', at: 'later' })).toEqual({
      ...entry,
      role: 'docs',
      registered_at: 'later',
    });
    store.disable('b');
    expect(store.list()).toMatchObject({ disabled: new Set(['b']), broken: [] });
    expect([store.unregister('a'), store.unregister('a'), store.lookup('a').kind]).toEqual([
      true,
      false,
      'unregistered',
    ]);
    store.register({ sessionId: 'b', role: 'coder', at });
    expect(store.lookup('b').kind).toBe('registered');
  });

  it('live in files of the documented names and forms, one set per team', () => {
    const { store, directory, state } = setup('blue');
    store.register({ sessionId: 'a', role: 'tester', at });
    store.disable('z');
    expect(JSON.parse(readFileSync(join(directory, 'hookwise-blue-sessions.json'), 'utf8'))).toEqual({
      a: { role: 'tester', registered_at: at },
    });
    expect(JSON.parse(readFileSync(join(directory, 'hookwise-blue-exclusions.json'), 'utf8'))).toEqual({
      disabled: ['z'],
    });
    expect(readdirSync(directory).sort()).toEqual(['hookwise-blue-exclusions.json', 'hookwise-blue-sessions.json']);
    expect(statSync(join(directory, 'hookwise-blue-sessions.json')).mode & 0o777).toBe(0o600);
    const solo = sessionStore({ state, sanitize });
    expect(solo.lookup('a').kind).toBe('unregistered');
    plant(directory, 'hookwise-solo-exclusions.json', '["a"]');
    expect(solo.lookup('a').kind).toBe('disabled');
  });

  it('keep their prompt sanitised and hashed', () => {
    const { store, directory } = setup();
    const entry = store.register({ sessionId: 'a', role: 'tester', prompt: 'the password is hunter2', at });
    const stored = readFileSync(join(directory, '.hookwise-prompt-a'), 'utf8');
    expect(stored).toBe('the password is [REDACTED]');
    expect(entry.prompt_hash).toBe(`sha256:${createHash('sha256').update(stored).digest('hex')}`);
    expect(entry.prompt_path).toBe(join(directory, '.hookwise-prompt-a'));
    store.unregister('a');
    expect(readdirSync(directory)).toEqual(['hookwise-solo-sessions.json']);
  });

  it.each(['', '../x', 'a/b', '__proto__', 'constructor', 'a b', 'x'.repeat(129), 'ä'])('refuse the id %j', (id) => {
    const { store } = setup();
    expect(() => store.lookup(id)).toThrow(/storage error: a session id/);
    expect(() => store.register({ sessionId: id, role: 'x', at })).toThrow(/storage error: a session id/);
    expect(() => store.disable(id)).toThrow(/storage error: a session id/);
  });

  it.each(['', '*', '__proto__', 'toString'])('refuse the role %j', (role) => {
    expect(() => setup().store.register({ sessionId: 'a', role, at })).toThrow(/role not found/);
  });

  it('refuse to switch what is not registered', () => {
    expect(() => setup().store.switchRole('a', { role: 'x', at })).toThrow('session not registered: a');
  });

  it('refuse planted state loudly', () => {
    const linked = setup();
    mkdirSync(linked.state, { mode: 0o700 });
    symlinkSync('/tmp', linked.directory);
    expect(() => linked.store.lookup('a')).toThrow(/sessions is a symbolic link/);
    const file = setup();
    file.store.register({ sessionId: 'a', role: 'x', at });
    renameSync(join(file.directory, 'hookwise-solo-sessions.json'), join(file.directory, 'real'));
    symlinkSync(join(file.directory, 'real'), join(file.directory, 'hookwise-solo-sessions.json'));
    expect(() => file.store.lookup('a')).toThrow(/sessions\.json is a symbolic link/);
  });

  it('keep the entries of others that they cannot read', () => {
    const { store, directory } = setup();
    plant(directory, 'hookwise-solo-sessions.json', '{"old":{"future":true},"b":{"role":"*","registered_at":"x"}}');
    store.register({ sessionId: 'a', role: 'tester', at });
    expect(store.list()).toMatchObject({ broken: ['old', 'b'] });
    expect(() => store.lookup('old')).toThrow(/broken entry for session old/);
    expect(readFileSync(join(directory, 'hookwise-solo-sessions.json'), 'utf8')).toContain('"future": true');
  });

  it('answer any bytes with a state or a storage error, and a damaged file is not overwritten', () => {
    const { store, directory } = setup();
    const whole = '{"a":{"role":"maintainer","registered_at":"x"}}';
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map(Buffer.from),
          fc.nat(whole.length - 1).map((cut) => Buffer.from(whole.slice(0, cut))),
        ),
        (bytes) => {
          plant(directory, 'hookwise-solo-sessions.json', bytes);
          const attempt = (work: () => unknown): unknown => {
            try {
              return work();
            } catch (thrown) {
              if (thrown instanceof HookwiseError) return thrown.kind;
              throw thrown;
            }
          };
          const seen = attempt(() => store.lookup('a').kind);
          expect(['unregistered', 'Storage']).toContain(seen);
          if (seen === 'Storage') {
            expect(attempt(() => store.register({ sessionId: 'b', role: 'x', at }))).toBe('Storage');
            expect(readFileSync(join(directory, 'hookwise-solo-sessions.json'))).toEqual(Buffer.from(bytes));
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
