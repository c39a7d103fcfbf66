import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGround } from '../../compose.ts';
import { clientRow, nodeRow } from '../doctor/client.ts';
import { groundRows, projectRows } from '../doctor/project.ts';
import type { Row } from '../doctor/row.ts';
import { installedSettings, misconfigurations } from '../doctor/settings.cases.ts';
import { settingsReport } from '../doctor/settings.ts';
import { readSettings, settingsFiles } from '../host-settings.ts';
import { builtHook, runIn, type Workspace, workspace } from '../workspace.cases.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';

const installed = builtHook();

const rowsIn = async (at: Workspace): Promise<{ readonly code: number; readonly rows: Row[] }> => {
  const { code, out } = await runIn(at, doctor, { options: { json: true } });
  return { code, rows: JSON.parse(out).rows };
};

const expected = { node: process.execPath, deadlineMs: 115_000 };
const hookIn = (at: Workspace): string => join(at.surroundings.installed, 'hookwise.cjs');

const settingsRows = (at: Workspace): readonly Row[] => {
  const { humanTimeoutSecs } = at.project().policy.settings;
  const files = settingsFiles(at.surroundings, at.root).filter(({ level }) => level !== 'managed');
  return settingsReport(files, { ...expected, hook: hookIn(at), phaseSecs: humanTimeoutSecs + 35 }).rows;
};

describe('the settings of the host', () => {
  it('are fine as init writes them', () => {
    const at = workspace(installed());
    at.writeSettings(installedSettings(hookIn(at)));
    expect(settingsRows(at).filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  it.each(misconfigurations)('$name: $status [$id]', ({ arrange, id, status, detail, fix }) => {
    const at = workspace(installed());
    arrange(at, installedSettings(hookIn(at)));
    const rows = settingsRows(at);
    expect(rows.filter((row) => row.id === id && row.status === status)).toContainEqual(
      expect.objectContaining({ detail: expect.stringMatching(detail), fix: expect.stringMatching(fix) }),
    );
  });

  it('tell when administrators shut the hooks of users out', () => {
    const at = workspace(installed());
    const path = at.write('../managed-settings.json', '{"allowManagedHooksOnly": true}');
    const { rows } = settingsReport([readSettings(path, 'managed')], { ...expected, hook: '', phaseSecs: 95 });
    expect(rows).toContainEqual(expect.objectContaining({ id: 'settings.managed-only', status: 'fail' }));
  });
});

describe('the client', () => {
  const client = (at: Workspace, version: string): string => {
    const path = at.write('../bin/claude', `#!/bin/sh\necho '${version} (Claude Code)'\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const table: [version: string, status: Row['status']][] = [
    ['2.1.295', 'ok'],
    ['2.1.328', 'ok'],
    ['2.2.0', 'ok'],
    ['3.0.1', 'ok'],
    ['2.1.294', 'warn'],
    ['2.0.999', 'warn'],
    ['1.9.999', 'warn'],
    ['unknown', 'warn'],
  ];
  it.each(table)('%s: %s', (version, status) => {
    const at = workspace();
    const path = client(at, version);
    expect(clientRow({ PATH: `/nowhere:${dirname(path)}` }, undefined)).toMatchObject({ id: 'client.version', status });
  });

  it('is taken where it is named', () => {
    const at = workspace();
    expect(clientRow({ PATH: '' }, client(at, '2.1.328'))).toMatchObject({ status: 'ok' });
    expect(clientRow({ PATH: '' }, join(at.top, 'none'))).toMatchObject({ status: 'fail' });
  });

  it('may be absent', () => {
    expect(clientRow({ PATH: '/nowhere' }, undefined)).toMatchObject({ status: 'info' });
  });

  it.each([
    ['v20.19.0', 'ok'],
    ['v24.1.0', 'ok'],
    ['v20.18.3', 'fail'],
    ['v18.20.0', 'fail'],
  ])('needs a node: %s %s', (version, status) => expect(nodeRow(version, '/bin/node')).toMatchObject({ status }));
});

interface Trouble {
  readonly name: string;
  readonly arrange: (at: Workspace) => void;
  readonly id: string;
  readonly status: Row['status'];
  readonly detail: RegExp;
}

const allow = (role: string): string =>
  `{"command":"make","tool":"Bash","role":"${role}","decision":"allow","reason":"","timestamp":"2026-03-01T00:00:00Z","scope":"project"}\n`;

const troubles: readonly Trouble[] = [
  {
    name: 'the repository sets a variable that hooks depend on',
    arrange: (at) => at.write('.claude/settings.json', '{"env": {"NODE_OPTIONS": "-r ./x.js", "HARMLESS": "1"}}'),
    id: 'environment.repository',
    status: 'warn',
    detail: /\.claude\/settings\.json sets NODE_OPTIONS/,
  },
  {
    name: 'a place inside the repository',
    arrange: (at) => at.write('.claude/settings.local.json', '{"env": {"XDG_STATE_HOME": "/x"}}'),
    id: 'environment.places',
    status: 'warn',
    detail: /XDG_STATE_HOME: not used, the repository's settings define it/,
  },
  {
    name: 'a state directory that others can write',
    arrange: (at) => {
      at.project();
      chmodSync(join(at.top, 'own/state'), 0o777);
    },
    id: 'state.directories',
    status: 'fail',
    detail: /own\/state can be written by other users; close it with: chmod go-w/,
  },
  {
    name: 'a link among the state directories',
    arrange: (at) => {
      at.project();
      symlinkSync(at.home, join(at.top, 'own/state/log'));
    },
    id: 'state.directories',
    status: 'fail',
    detail: /state\/log is a symbolic link/,
  },
  {
    name: 'policy that cannot be read',
    arrange: (at) => at.write('.hookwise/policy.yml', 'reads: [\n'),
    id: 'policy.problems',
    status: 'fail',
    detail: /^\.hookwise\/policy\.yml:\d+: config parse error/,
  },
  {
    name: 'a key that nothing reads',
    arrange: (at) => at.configure('config.yml', 'reads: allow\nhuman_timeout_sec: 5\n'),
    id: 'policy.problems',
    status: 'warn',
    detail: /config\.yml:2: unknown key human_timeout_sec: did you mean human_timeout_secs/,
  },
  {
    name: 'widening lines without trust',
    arrange: (at) => {
      at.write('.hookwise/policy.yml', 'human_timeout_secs: 600\n');
      at.write('.hookwise/rules/allow.jsonl', allow('coder'));
    },
    id: 'policy.untrusted',
    status: 'warn',
    detail: /^2 not in force$/,
  },
  {
    name: 'a broken line among the remembered decisions',
    arrange: (at) => at.write('.hookwise/rules/deny.jsonl', `${allow('coder')}{"broken\n`),
    id: 'memory.lines',
    status: 'warn',
    detail: /rules\/deny\.jsonl:2: is not valid JSON/,
  },
  {
    name: 'a repository that allows every role',
    arrange: (at) => at.write('.hookwise/rules/allow.jsonl', allow('*')),
    id: 'memory.lines',
    status: 'warn',
    detail: /rules\/allow\.jsonl:1: allows every role/,
  },
  {
    name: 'a link among the rules',
    arrange: (at) => {
      mkdirSync(join(at.root, '.hookwise'));
      symlinkSync(at.home, join(at.root, '.hookwise/rules'));
    },
    id: 'memory.lines',
    status: 'fail',
    detail: /rules is not a real directory/,
  },
  {
    name: 'a changed audit log',
    arrange: (at) => {
      at.project().audit.append({ event: 'x', number: 1 }, '2026-03-01T00:00:00Z');
      const file = join(at.top, 'own/state/log/audit.jsonl');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"number":1', '"number":2'));
    },
    id: 'audit.chain',
    status: 'fail',
    detail: /audit\.jsonl:1: was changed/,
  },
];

describe('the project and the state', () => {
  it('are fine when new', () => {
    const at = workspace(installed());
    const rows = [...groundRows(openGround(at.surroundings, at.root)), ...projectRows(at.project())];
    expect(rows.filter(({ status }) => status !== 'ok')).toEqual([]);
  });

  it.each(troubles)('$name: $status [$id]', ({ arrange, id, status, detail }) => {
    const at = workspace(installed());
    arrange(at);
    const ground = openGround(at.surroundings, at.root);
    const isState = id === 'state.directories';
    const rows = [...groundRows(ground), ...(isState ? [] : projectRows(at.project()))];
    expect(rows.filter((row) => row.id === id)).toContainEqual(
      expect.objectContaining({ status, detail: expect.stringMatching(detail) }),
    );
  });
});

describe('doctor', () => {
  it('finds nothing after init', async () => {
    const at = workspace(installed());
    await runIn(at, init);
    await runIn(at, init, { options: { user: true, yes: true } });
    const { code, rows } = await rowsIn(at);
    expect(rows.filter(({ status }) => status === 'fail' || status === 'warn')).toEqual([]);
    expect(code).toBe(0);
    expect(rows.filter(({ id }) => id === 'gate.live').map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect((await runIn(at, doctor)).out).toMatch(/^OK +gate\.live +.*\n0 failed, 0 to look at, \d+ fine$/m);
  });

  it('fails without an installation', async () => {
    const at = workspace(installed());
    const { code, rows } = await rowsIn(at);
    expect(code).toBe(1);
    expect(rows).toContainEqual(expect.objectContaining({ id: 'gate.live', status: 'fail' }));
  });

  it('notices a gate that lets calls through', async () => {
    const at = workspace(installed());
    const silent = at.write('../silent/hookwise.cjs', '');
    at.writeSettings(installedSettings(silent));
    const { code, rows } = await rowsIn({ ...at, surroundings: { ...at.surroundings, installed: dirname(silent) } });
    expect(code).toBe(1);
    expect(rows.filter(({ status }) => status === 'fail').map(({ id, detail }) => [id, detail])).toEqual([
      ['gate.live', 'a write to .claude/settings.json is refused: it gave no decision'],
    ]);
  });

  it('notices a gate that is closed by a failure of its own', async () => {
    const at = workspace(installed());
    at.project();
    chmodSync(join(at.top, 'own/state'), 0o777);
    at.writeSettings(installedSettings(hookIn(at)));
    const { code, rows } = await rowsIn(at);
    expect(code).toBe(1);
    const failed = rows.filter(({ status }) => status === 'fail');
    expect(failed.map(({ id }) => id)).toEqual(['state.directories', 'project.opens', 'gate.live']);
    expect(failed.at(-1)?.detail).toMatch(/it refuses every call: .*gate\.failed/);
  });

  it('shows no secret of other hooks', async () => {
    const at = workspace(installed());
    const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    at.writeSettings({
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: `/bin/notify --token ${token}` }] }] },
    });
    const outputs = [await runIn(at, doctor), await runIn(at, doctor, { options: { json: true } })];
    for (const { out } of outputs) {
      expect(out).toContain('/bin/notify');
      expect(out).not.toContain(token);
    }
  });
});
