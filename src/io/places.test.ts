import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from './files/scratch.cases.ts';
import { type PlacesInput, resolvePlaces } from './places.ts';

const home = '/home/ada';
const root = '/home/ada/work/repo';

type Case = [name: string, input: Omit<PlacesInput, 'passwdHome'>, expected: Partial<ReturnType<typeof resolvePlaces>>];

const usual = { config: '/home/ada/.config/hookwise', state: '/home/ada/.local/state/hookwise' };

const cases: Case[] = [
  [
    'nothing set',
    { env: {} },
    { ...usual, runtime: '/home/ada/.local/state/hookwise/run', home, homes: [home], refused: [] },
  ],
  [
    'XDG directories',
    { env: { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s/', XDG_RUNTIME_DIR: '/run/user/1' } },
    { config: '/c/hookwise', state: '/s/hookwise', runtime: '/run/user/1/hookwise', refused: [] },
  ],
  [
    'one directory for everything',
    { env: { HOOKWISE_HOME: '/t/x', XDG_CONFIG_HOME: '/c', XDG_RUNTIME_DIR: '/run/user/1' } },
    { config: '/t/x/config', state: '/t/x/state', runtime: '/t/x/run', refused: [] },
  ],
  [
    'sockets elsewhere',
    { env: { HOOKWISE_HOME: '/t/x', HOOKWISE_RUNTIME_DIR: '/r' } },
    { state: '/t/x/state', runtime: '/r' },
  ],
  [
    'another HOME is one more home',
    { env: { HOME: '/srv/ada' } },
    { ...usual, homes: [home, '/srv/ada'], refused: [] },
  ],
  ['a relative HOME is none', { env: { HOME: 'x' } }, { homes: [home], refusedNames: ['HOME'] }],
  [
    'inside the repository',
    { root, env: { HOOKWISE_HOME: `${root}/.h` } },
    { ...usual, refusedNames: ['HOOKWISE_HOME'] },
  ],
  [
    'the repository itself',
    { root, env: { XDG_STATE_HOME: `${root}/` } },
    { ...usual, refusedNames: ['XDG_STATE_HOME'] },
  ],
  [
    'inside by dots',
    { root, env: { XDG_CONFIG_HOME: `${root}/../repo/c` } },
    { ...usual, refusedNames: ['XDG_CONFIG_HOME'] },
  ],
  ['HOME inside the repository', { root, env: { HOME: `${root}/h` } }, { homes: [home], refusedNames: ['HOME'] }],
  [
    'sockets inside the repository',
    { root, env: { HOOKWISE_RUNTIME_DIR: `${root}/r` } },
    { refusedNames: ['HOOKWISE_RUNTIME_DIR'] },
  ],
  [
    'a neighbour with a longer name',
    { root, env: { XDG_STATE_HOME: `${root}-state` } },
    { state: `${root}-state/hookwise`, refused: [] },
  ],
  [
    'defined by the repository',
    {
      root,
      env: { HOOKWISE_HOME: '/t/x', HOOKWISE_DEADLINE_MS: '1' },
      repositoryEnv: ['HOOKWISE_HOME', 'HOOKWISE_DEADLINE_MS', 'FOO'],
    },
    { ...usual, refusedNames: ['HOOKWISE_HOME', 'HOOKWISE_DEADLINE_MS'] },
  ],
  [
    'the home directory is a repository: naming the usual place moves nothing',
    { root: home, env: { HOME: home, XDG_CONFIG_HOME: `${home}/.config` } },
    { ...usual, homes: [home], refused: [] },
  ],
];

describe('resolvePlaces', () => {
  it.each(cases)('%s', (_name, input, expected) => {
    expect(resolvePlaces({ ...input, passwdHome: home })).toMatchObject(expected);
  });

  it('names the variable and the reason', () => {
    const { refused } = resolvePlaces({ env: { HOOKWISE_HOME: `${root}/x` }, passwdHome: home, root });
    expect(refused).toEqual([`HOOKWISE_HOME: not used, it points into the repository ${root}`]);
  });

  it('sees through links into the repository', () => {
    const top = scratch();
    mkdirSync(join(top, 'repo/in'), { recursive: true });
    symlinkSync(join(top, 'repo/in'), join(top, 'link'));
    const input = { env: { HOOKWISE_HOME: join(top, 'link/new') }, passwdHome: home, root: join(top, 'repo') };
    expect(resolvePlaces(input).refusedNames).toEqual(['HOOKWISE_HOME']);
  });
});
