import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ran, runIn, type Workspace, workspace } from '../workspace.cases.ts';
import { config } from './config.ts';

const run = (at: Workspace, ...words: string[]): Promise<Ran> => runIn(at, config, { words });
const json = async (at: Workspace, ...words: string[]): Promise<unknown> =>
  JSON.parse((await runIn(at, config, { words, options: { json: true } })).out);
const key = 'sk-ant-api03-0123456789abcdefghijklmnop';

describe('config', () => {
  it('names its file', async () => {
    const at = workspace();
    expect((await run(at, 'path')).out).toBe(join(at.top, 'own/config/config.yml'));
  });

  it('lists every key with where it comes from', async () => {
    const at = workspace();
    at.configure('config.yml', `human_timeout_secs: 90\nconfidence:\n  org: 0.95\napi_key: ${key}\n`);
    const { out } = await run(at);
    expect(out).toMatch(/^human_timeout_secs +90 +\(config\.yml\)$/m);
    expect(out).toMatch(/^confidence\.org +0\.95 +\(config\.yml\)$/m);
    expect(out).toMatch(/^registration_timeout_secs +5 +\(default\)$/m);
    expect(await json(at, 'list')).toMatchObject({
      human_timeout_secs: { value: 90, from: 'config.yml' },
      reads: { value: 'allow', from: 'default' },
    });
  });

  it('never prints the key of a model provider', async () => {
    const at = workspace();
    at.configure('config.yml', `api_key: ${key}\n`);
    const outputs = await Promise.all([
      run(at),
      run(at, 'get', 'api_key'),
      runIn(at, config, { words: ['get', 'api_key'], options: { json: true } }),
      runIn(at, config, { options: { json: true } }),
    ]);
    for (const { out, err } of outputs) {
      expect(out + err).not.toContain('0123456789');
      expect(out).toContain('not shown');
    }
    const { out, err } = await run(at, 'set', 'api_key', `${key}x`);
    expect(out + err).not.toContain('0123456789');
  });

  const gets: [key: string, expected: string][] = [
    ['reads', 'abstain'],
    ['human_timeout_secs', '60'],
    ['confidence', '{"org":0.95}'],
    ['agents.tester-type', 'tester'],
    ['default_org', '(not set)'],
  ];
  it.each(gets)('get %s', async (name, expected) => {
    const at = workspace();
    at.configure('config.yml', 'reads: abstain\nconfidence: {org: 0.95}\nagents: {tester-type: tester}\n');
    expect(await run(at, 'get', name)).toEqual({ code: 0, out: expected, err: '' });
  });

  const sets: [key: string, value: string, text: string][] = [
    ['human_timeout_secs', '90', '# mine\nhuman_timeout_secs: 90 # seconds\nconfidence:\n  # high\n  org: 0.95\n'],
    [
      'confidence.user',
      '0.8',
      '# mine\nhuman_timeout_secs: 30 # seconds\nconfidence:\n  # high\n  org: 0.95\n  user: 0.8\n',
    ],
    [
      'env_role.allow',
      '[maintainer]',
      '# mine\nhuman_timeout_secs: 30 # seconds\nconfidence:\n  # high\n  org: 0.95\nenv_role:\n  allow:\n    - maintainer\n',
    ],
  ];
  it.each(sets)('set %s %s keeps all else', async (name, value, text) => {
    const at = workspace();
    const file = at.configure(
      'config.yml',
      '# mine\nhuman_timeout_secs: 30 # seconds\nconfidence:\n  # high\n  org: 0.95\n',
    );
    expect(await run(at, 'set', name, value)).toMatchObject({ code: 0, err: '' });
    expect(at.read(file)).toBe(text);
    expect(
      at
        .project()
        .audit.read({})
        .entries.map(({ event }) => event),
    ).toEqual([{ event: 'config', key: name, actor: 'user:tester' }]);
  });

  it('makes the file when there is none', async () => {
    const at = workspace();
    await run(at, 'set', 'gating', 'always');
    const file = join(at.top, 'own/config/config.yml');
    expect(at.read(file)).toBe('gating: always\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keeps a file of comments', async () => {
    const at = workspace();
    const file = at.configure('config.yml', '# only this\n');
    await run(at, 'set', 'gating', 'always');
    expect(at.read(file)).toMatch(/# only this[\s\S]*gating: always\n/);
  });

  const refusals: [key: string, value: string, reason: RegExp][] = [
    ['human_timeout_secs', 'soon', /human_timeout_secs: expected a whole number from 1 to 3600, found "soon"/],
    ['confidence.org', '2', /confidence\.org: expected a number from 0 to 1/],
    ['gating', 'sometimes', /gating: expected one of always, auto, never/],
    ['human_timeout_sec', '5', /unknown key human_timeout_sec: did you mean human_timeout_secs/],
    ['default_role', 'nobody', /default_role: role not found: nobody/],
    ['default_role', 'maintainer', /may write everything/],
    ['agents.x', 'nobody', /agents\.x: role not found: nobody/],
    ['supervisor', '{backend: api, api_base_url: "http://example.com"}', /only https/],
    ['reads.deeper', '1', /cannot be set/],
    ['default_org', '../x', /expected the name of an organisation/],
  ];
  it.each(refusals)('refuses set %s %s', async (name, value, reason) => {
    const at = workspace();
    const text = 'reads: abstain\n';
    const file = at.configure('config.yml', text);
    await expect(run(at, 'set', name, value)).rejects.toThrow(reason);
    expect(at.read(file)).toBe(text);
  });

  it('says what it allows with a warning', async () => {
    const at = workspace();
    const { code, err } = await run(at, 'set', 'default_org', 'acme');
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('organisation acme is configured but has neither'),
    });
  });

  it.each([{ kind: 'script' } as const, { kind: 'agent', why: 'CLAUDECODE is set' } as const])(
    'lets only a person change it: $kind',
    async (caller) => {
      const at = workspace();
      await expect(runIn(at, config, { words: ['set', 'reads', 'abstain'], caller })).rejects.toThrow(/terminal/);
      expect(existsSync(join(at.top, 'own/config/config.yml'))).toBe(false);
    },
  );

  it('does not edit what it cannot read', async () => {
    const at = workspace();
    const file = at.configure('config.yml', 'a: [1\n');
    await expect(run(at, 'set', 'reads', 'abstain')).rejects.toThrow(/config\.yml:\d+: config parse error/);
    expect(at.read(file)).toBe('a: [1\n');
  });

  it.each([['get'], ['set', 'reads'], ['get', 'nonsense'], ['path', 'x'], ['delete', 'x']])(
    'is not called as %s %s',
    async (...words) => {
      await expect(run(workspace(), ...words)).rejects.toThrow(/give list|no key named/);
    },
  );
});
