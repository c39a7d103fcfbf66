import { describe, expect, it } from 'vitest';
import { hasBlock, withBlock, withoutBlock } from './hook-block.ts';

const added = (text: string | undefined): string => {
  const result = withBlock(text);
  if (!result.ok) throw new Error(result.error);
  return result.value;
};

/** The lines around the block. */
const around = (text: string): string[] => text.split(/# >>> hookwise >>>[\s\S]*# <<< hookwise <<<\n/);

describe('withBlock', () => {
  it.each<[name: string, text: string | undefined, before: string, behind: string]>([
    ['a new hook', undefined, '#!/bin/sh\n', ''],
    ['an empty one', '\n', '#!/bin/sh\n', ''],
    [
      'one that starts with its shell',
      '#!/usr/bin/env bash\nset -e\nmake\n',
      '#!/usr/bin/env bash\n',
      'set -e\nmake\n',
    ],
    ['one with options', '#!/bin/sh -eu\nmake\n', '#!/bin/sh -eu\n', 'make\n'],
    ['one without a shell', 'npx lint-staged\n', '', 'npx lint-staged\n'],
    ['one without an end of its only line', '#!/bin/sh', '#!/bin/sh\n', ''],
    [
      'one of an older husky',
      '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\nnpm test\n',
      '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n',
      '\nnpm test\n',
    ],
  ])('goes first in %s', (_, text, before, behind) => {
    const result = added(text);
    expect(around(result)).toEqual([before, behind]);
    expect(hasBlock(result)).toBe(true);
  });

  it('changes nothing the second time, and renews an older block', () => {
    const once = added('#!/bin/sh\nmake\n');
    expect(added(once)).toBe(once);
    const older = once.replace(/^node=.*$/m, 'node=old $& $1');
    expect(added(older)).toBe(once);
  });

  it.each([
    ['another language', '#!/usr/bin/env python3\nprint(1)\n', 'it is no shell script'],
    ['a program', '#!/usr/bin/node\n', 'it is no shell script'],
    [
      'half a block',
      '#!/bin/sh\n# >>> hookwise >>> x\nmake\n',
      'it holds only a part of the block of hookwise; take that out by hand',
    ],
  ])('refuses %s', (_, text, why) => expect(withBlock(text)).toEqual({ ok: false, error: why }));
});

describe('withoutBlock', () => {
  it.each(['#!/bin/sh\nmake\n', 'npx lint-staged\n', '#!/bin/bash\n\nexit 0', '#!/bin/sh\nset -e\r\nmake\r\n'])(
    'gives back what was there: %j',
    (text) => expect(withoutBlock(added(text))).toBe(text),
  );

  it('leaves nothing of a hook that was ours alone', () => expect(withoutBlock(added(undefined))).toBeUndefined());
});
