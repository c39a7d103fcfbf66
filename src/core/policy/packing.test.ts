import { describe, expect, it, test } from 'vitest';
import { compile, type Said, settingRows } from './compile.cases.ts';
import { packPolicy, unpackPolicy } from './packing.ts';

const through = (value: unknown): { readonly packed: unknown } => JSON.parse(JSON.stringify(value));

describe('packing', () => {
  const others: Said[] = [
    {},
    {
      projectRoles: {
        roles: {
          coder: { paths: { allow_write: ['src/a/**'] } },
          mine: { description: 'x', paths: { deny_write: ['**'] } },
        },
      },
    },
    {
      user: {
        sensitive_paths: { ask_write: ['.env*', '$x', '{a,b}'], allow_write: ['.env*'] },
        tools: { x: 'inspect' },
      },
    },
    { project: { nonsense: 1, human_timeout_secs: 900 } },
  ];
  test.each([...others, ...settingRows.map(([said]) => said)])('gives back %j', (said) => {
    const policy = compile(said);
    expect(unpackPolicy(through(packPolicy(policy)))).toEqual(JSON.parse(JSON.stringify(policy)));
  });

  it('leaves nothing of the built-in parts', () => {
    expect(JSON.stringify(packPolicy(compile({}))).length).toBeLessThan(600);
    expect(
      JSON.stringify(packPolicy(compile({ user: { sensitive_paths: { deny_read: ['x'] } } }))).length,
    ).toBeLessThan(2500);
  });
});
