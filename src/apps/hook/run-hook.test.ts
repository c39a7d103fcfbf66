import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, reasonOn, verdictOn } from './place.cases.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const coder = { HOOKWISE_ROLE: 'coder' };
const fixtures = join(import.meta.dirname, '../../agents/claude-code/fixtures');

describe('captured and documented payloads', () => {
  const files = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  it.each(files)('%s gets an answer the host accepts', async (file) => {
    const text = readFileSync(join(fixtures, file), 'utf8').replaceAll('/home/user/project', place.project);
    const reply = await place.hook(text, coder);
    const verdict = verdictOn(reply);
    expect(['allow', 'deny', 'ask', 'none']).toContain(verdict);
    if (!file.includes('PreToolUse')) expect(verdict).toBe('none');
  });
});

describe('bytes on standard input', () => {
  const closed = ['ask', 'deny'];

  it.each([
    ['nothing', ''],
    ['not JSON', '{not json'],
    ['a list', '[]'],
    ['null', 'null'],
    ['text after the object', '{} x'],
    ['no tool', '{"session_id":"s1","cwd":"/x","hook_event_name":"PreToolUse"}'],
  ])('%s is asked or denied', async (_, text) => expect(closed).toContain(verdictOn(await place.hook(text, coder))));

  it('bytes that are no UTF-8 are asked or denied', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"session_id":"s1","x":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    expect(closed).toContain(verdictOn(await place.hook(bytes, coder)));
  });

  it('a byte order mark is read over', async () => {
    const text = `\ufeff${JSON.stringify(place.call('Write', { file_path: 'src/a.ts', content: '' }))}`;
    expect(verdictOn(await place.hook(text, coder))).toBe('allow');
  });

  it('of a duplicate key the last one counts, as in the host', async () => {
    const text = JSON.stringify(place.call('Write', { content: '' })).replace(
      '"content":""',
      '"file_path":"src/a.ts","file_path":"tests/a.ts"',
    );
    expect(verdictOn(await place.hook(text, coder))).toBe('deny');
  });

  it('nobody there: what cannot be read is denied', async () => {
    expect(verdictOn(await place.hook('{', { ...coder, CLAUDE_CODE_SESSION_ATTENDED: '0' }))).toBe('deny');
  });

  it('any bytes give a verdict or silence, never a crash, never allow', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(closed).toContain(verdictOn(await place.hook(bytes, coder)));
      }),
      { numRuns: 150 },
    );
  });

  it('any damage to a real payload gives a verdict, and never an allow for what was denied whole', async () => {
    const whole = Buffer.from(JSON.stringify(place.call('Write', { file_path: 'tests/a.ts', content: '' })));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, value) => {
        const bytes = Buffer.from(whole);
        bytes[at] = value;
        const reply = await place.hook(bytes, coder);
        const verdict = verdictOn(reply);
        if (verdict === 'allow') expect(reasonOn(reply)).toMatch(/role\.coder\.allow_write|builtin\.read/);
      }),
      { numRuns: 200 },
    );
  });

  it('of an ungated project nothing is said', async () => {
    const open = makePlace({ gated: false });
    expect(verdictOn(await open.hook('{'))).toBe('none');
    expect(verdictOn(await open.hook(open.call('Bash', { command: 'ls' })))).toBe('none');
    open.remove();
  });
});

describe('one root for the whole session', () => {
  it('a nested repository with laxer rules changes nothing', async () => {
    place.write('vendor/lib/.git/HEAD', '');
    place.write('vendor/lib/.hookwise/roles.yml', 'roles:\n  coder:\n    paths:\n      allow_write: ["**"]\n');
    const inside = join(place.project, 'vendor/lib');
    const call = place.call('Write', { file_path: join(inside, 'x'), content: '' }, { cwd: inside });
    expect(verdictOn(await place.hook(call, coder))).toBe('ask');
  });

  it('a repository cannot move the root by its settings', async () => {
    place.write('sub/.git/HEAD', '');
    place.write('.claude/settings.json', JSON.stringify({ env: { CLAUDE_PROJECT_DIR: join(place.project, 'sub') } }));
    const env = { ...coder, CLAUDE_PROJECT_DIR: join(place.project, 'sub') };
    const verdict = verdictOn(await place.hook(place.call('Write', { file_path: 'tests/a.ts', content: '' }), env));
    expect(verdict).toBe('deny');
  });
});

describe('a session at the top of the file system', () => {
  it.each([
    ['Read', { file_path: '/usr/include/stdio.h' }],
    ['Bash', { command: 'cat /usr/include/stdio.h' }],
    ['Write', { file_path: '/src/a.ts', content: '' }],
  ])('%s %j is not inside a project', async (tool, input) => {
    const env = { HOOKWISE_ROLE: 'maintainer', CLAUDE_PROJECT_DIR: '/' };
    place.configure('gating: always\nenv_role:\n  allow: [maintainer]\n');
    expect(verdictOn(await place.hook(place.call(tool, input, { cwd: '/' }), env))).toBe('ask');
  });
});

describe('settings that would disarm the running session', () => {
  const change = (file: string) => ({
    session_id: 's1',
    cwd: place.project,
    hook_event_name: 'ConfigChange',
    source: 'project_settings',
    file_path: file,
  });
  const own = {
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'node', args: ['/x/hookwise.cjs', 'check'] }] }] },
  };
  const settings = () => join(place.project, '.claude/settings.json');

  it.each([
    ['the entry is gone', '{}', true],
    ['the file is broken', '{"hooks":', true],
    ['hooks are switched off', JSON.stringify({ ...own, disableAllHooks: true }), true],
    ['the entry is still there', JSON.stringify(own), false],
  ])('%s', async (_, text, isBlocked) => {
    place.write('.claude/settings.json', text);
    const { stdout } = await place.hook(change(settings()), coder);
    expect(stdout === '' ? undefined : JSON.parse(stdout).decision).toBe(isBlocked ? 'block' : undefined);
  });
});
