import { describe, expect, it } from 'vitest';
import { slotTypes } from '../../core/model/record.ts';
import { shapeInWords, shapeName, slotsIn } from './shape-words.ts';

describe('a shape in words', () => {
  it.each([
    ['uv run pytest <ANY:selector>', 'uv run pytest <test of the project>', ['selector']],
    ['cp <ANY:path> <ANY:path>', 'cp <path in the project> <path in the project>', ['path', 'path']],
    ['git commit -m <ANY:message>', 'git commit -m <text>', ['message']],
    ['git switch <ANY:ref>', 'git switch <branch>', ['ref']],
    ['cargo test -p <ANY:name> -j <ANY:number>', 'cargo test -p <name> -j <number>', ['name', 'number']],
    // What is quoted or escaped is text, not a slot; a name that is no type is nothing.
    ["pytest '<ANY:path>' <ANY:selector>", "pytest '<ANY:path>' <test of the project>", ['selector']],
    [String.raw`x 'it'\''s <ANY:path>' <ANY:ref>`, String.raw`x 'it'\''s <ANY:path>' <branch>`, ['ref']],
    ['echo "it\'s <ANY:path>" <ANY:ref>', 'echo "it\'s <ANY:path>" <branch>', ['ref']],
    [String.raw`echo "\"<ANY:path>" \'<ANY:ref>`, String.raw`echo "\"<ANY:path>" \'<branch>`, ['ref']],
    ['x <ANY:thing>', 'x <ANY:thing>', []],
  ])('%s', (shape, words, slots) => {
    expect(shapeInWords(shape)).toBe(words);
    expect(slotsIn(shape)).toEqual(slots);
  });

  it('has words for every type', () => {
    for (const type of slotTypes) expect(shapeInWords(`x <ANY:${type}>`)).not.toContain('ANY');
  });

  it.each([
    ['root', 'at the root'],
    ['inside:packages/web', 'in packages/web'],
    ['outside', 'outside the project'],
  ] as const)('says where: %s', (context, where) => {
    expect(shapeName({ shape: 'make -j <ANY:number>', role: 'coder', context })).toBe(
      `every \`make -j <number>\` call of role coder, made ${where}`,
    );
  });
});
