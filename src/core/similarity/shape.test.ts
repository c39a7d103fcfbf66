import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookingCalls, manualCalls } from '../shell/everyday.cases.ts';
import { shell } from '../shell/shell.ts';
import { shellLanguage } from './language.ts';
import { exactOnly, generalised, keptExact } from './shape.cases.ts';
import { isSlotKind } from './slot-kinds.ts';
import { printWord } from './slot-words.ts';
import { changeRows } from './slots/changes.ts';
import { checkRows } from './slots/checks.ts';
import { testRows } from './slots/tests.ts';

const place = { cwd: '/home/user/project', root: '/home/user/project', home: '/home/user', user: 'user' };

const shapeIn = (command: string): string | undefined => {
  const shape = shellLanguage.shape(command, place);
  return shape.kind === 'shape' ? shape.text : undefined;
};

describe('the shape of a command', () => {
  it.each(generalised)('%s → %s', (command, shape) => expect(shapeIn(command)).toBe(shape));
  it.each(keptExact)('keeps what is no data: %s → %s', (command, shape) => expect(shapeIn(command)).toBe(shape));
  it.each(exactOnly)('has none: %s', (command) => expect(shapeIn(command)).toBeUndefined());
});

describe('what fills a slot', () => {
  it('says where it is, seen from where the command runs', () => {
    const shape = shellLanguage.shape('cd packages/web && npx vitest run src/a.test.ts', place);
    expect(shape.kind === 'shape' && shape.slots).toEqual([
      { type: 'path', path: '/home/user/project/packages/web/src/a.test.ts', text: 'src/a.test.ts', isWritten: false },
    ]);
  });

  it('says whether it is changed', () => {
    const written = (command: string) => {
      const shape = shellLanguage.shape(command, place);
      return shape.kind === 'shape' && shape.slots.map(({ isWritten }) => isWritten);
    };
    expect(written('eslint src/a.ts')).toEqual([false]);
    expect(written('eslint --fix src/a.ts')).toEqual([true]);
    expect(written('black src/a.py')).toEqual([true]);
    expect(written('git add src/a.ts')).toEqual([false]);
  });
});

describe('the rows', () => {
  const rows = [...testRows, ...checkRows, ...changeRows];
  it.each(rows)('$programs $sub names kinds that there are', ({ operands, slots }) => {
    const kinds = [
      ...(operands ?? '').split('|'),
      ...(slots ?? '').split(' ').map((slot) => slot.slice(slot.lastIndexOf('=') + 1)),
    ].filter((kind) => kind !== '');
    expect(kinds.filter((kind) => !isSlotKind(kind))).toEqual([]);
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    'pytest',
    'git',
    'commit',
    'add',
    '-m',
    '-k',
    'tests/a.py',
    'src/a.ts',
    '"a b"',
    "'x'",
    '&&',
    '|',
    ';',
    '>',
    '$x',
    '`ls`',
    '../x',
    '/etc/passwd',
    '-rf',
    '--fix',
    'eslint',
    '\n',
    '<ANY:path>',
    '~',
    '*',
    '.env',
  );
  it('has a shape of its own form, or none, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 8 }).map((words) => words.join(' ')),
          fc.string(),
        ),
        (command) => {
          const shape = shellLanguage.shape(command, place);
          if (shape.kind === 'none') return;
          expect(shape.slots.length).toBeGreaterThan(0);
          for (const { path } of shape.slots)
            if (path !== undefined) expect(path.startsWith(`${place.root}/`)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('two words never print alike', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => a === b || printWord(a) !== printWord(b)),
      { numRuns: 2000 },
    );
    expect(printWord('<ANY:path>')).not.toBe('<ANY:path>');
  });

  it('is understood as the command it is: a shape has the effects of each of its commands', () => {
    for (const [command] of generalised) {
      const shape = shellLanguage.shape(command, place);
      const reading = shell.read(command, place);
      expect(reading.complete).toBe(true);
      expect(shape.kind === 'shape' && shape.effects.split('; ').length).toBeLessThanOrEqual(
        Math.max(1, reading.effects.length),
      );
    }
  });
});

describe('commands of every day', () => {
  it('have one shape only where they do the same', () => {
    const byShape = new Map<string, string>();
    for (const command of [...lookingCalls, ...manualCalls]) {
      const shape = shellLanguage.shape(command, place);
      if (shape.kind === 'none') continue;
      const known = byShape.get(shape.text);
      if (known !== undefined) expect([command, shape.effects]).toEqual([command, known]);
      byShape.set(shape.text, shape.effects);
    }
  });
});
