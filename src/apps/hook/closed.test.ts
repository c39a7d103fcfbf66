import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, reasonOn, verdictOn } from './place.cases.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const coder = { HOOKWISE_ROLE: 'coder' };

const openState = () => {
  mkdirSync(join(place.home, 'state'));
  chmodSync(join(place.home, 'state'), 0o777);
};
const linkState = () => {
  mkdirSync(join(place.home, 'x'));
  symlinkSync(join(place.home, 'x'), join(place.home, 'state'));
};

describe('broken surroundings stay closed', () => {
  const source = () => place.call('Write', { file_path: 'src/a.ts', content: '' });
  const reading = () => place.call('Read', { file_path: 'src/a.ts' });

  it('broken YAML: file and line, and nothing is allowed', async () => {
    place.write('.hookwise/policy.yml', 'human_timeout_secs: 60\nsensitive_paths: [unclosed\n');
    const reply = await place.hook(source(), coder);
    expect(verdictOn(reply)).toBe('ask');
    expect(reasonOn(reply)).toMatch(/config parse error in \.hookwise\/policy\.yml:[23]:/);
    expect(verdictOn(await place.hook(reading(), coder))).toBe('ask');
  });

  it('a torn last line of the rules is skipped; whole lines count', async () => {
    const deny =
      '{"command":"make deploy","tool":"Bash","role":"*","decision":"deny","reason":"x","timestamp":"2026-01-01T00:00:00Z","scope":"project"}';
    place.write('.hookwise/rules/deny.jsonl', `${deny}\n${deny.slice(0, 40)}`);
    expect(verdictOn(await place.hook(place.call('Bash', { command: 'make deploy' }), coder))).toBe('deny');
  });

  it('an unknown role is no role', async () => {
    place.write('.hookwise/policy.yml', 'registration_timeout_secs: 0\n');
    expect(verdictOn(await place.hook(source(), { HOOKWISE_ROLE: 'wizard' }))).toBe('deny');
    place.register('wizard');
    expect(verdictOn(await place.hook(source()))).toBe('deny');
  });

  it.each([
    ['a file where state should be', () => writeFileSync(join(place.home, 'state'), '')],
    ['state that others may write', openState],
    ['state behind a link', linkState],
  ])('%s', async (_, spoil) => {
    spoil();
    const reply = await place.hook(source(), coder);
    expect(verdictOn(reply)).toBe('ask');
    expect(reasonOn(reply)).toContain(join(place.home, 'state'));
    expect(verdictOn(await place.hook(source(), { ...coder, CLAUDE_CODE_SESSION_ATTENDED: '0' }))).toBe('deny');
  });

  it('a log that cannot be written: no allow but plain reading', async () => {
    await place.hook(source(), coder);
    const log = join(place.home, 'state/log');
    renameSync(log, `${log}-gone`);
    writeFileSync(log, '');
    expect(verdictOn(await place.hook(source(), coder))).toBe('ask');
    expect(verdictOn(await place.hook(reading(), coder))).toBe('allow');
    rmSync(log);
  });

  it('a working directory that is gone is judged from the session’s root', async () => {
    const reply = await place.hook(
      place.call(
        'Write',
        { file_path: join(place.project, 'src/a.ts'), content: '' },
        { cwd: join(place.project, 'gone/sub') },
      ),
      coder,
    );
    expect(verdictOn(reply)).toBe('allow');
  });
});
