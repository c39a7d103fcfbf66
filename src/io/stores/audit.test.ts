import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scratch } from '../files/scratch.cases.ts';
import { type AuditLog, auditLog } from './audit.ts';

const key = new Uint8Array(32).fill(6);

interface Setup {
  readonly log: AuditLog;
  readonly directory: string;
  readonly file: string;
  readonly head: string;
}

const setup = (count = 0, rotateAt?: number): Setup => {
  const state = join(scratch(), 'state');
  const directory = join(state, 'log');
  const log = auditLog({ state, key, ...(rotateAt === undefined ? {} : { rotateAt }) });
  add(log, count);
  return { log, directory, file: join(directory, 'audit.jsonl'), head: join(directory, 'audit.head') };
};

const timeOf = (number: number): string => new Date(Date.parse('2026-03-01T00:00:00Z') + number * 1000).toISOString();
const add = (log: AuditLog, count: number, from = 1): void => {
  for (let number = from; number < from + count; number++)
    log.append({ call: number, verdict: 'allow' }, timeOf(number));
};
const reasons = (log: AuditLog): string[] =>
  log.verify().problems.map(({ kind, line, reason }) => `${kind} ${line} ${reason}`);
const editLines = (file: string, edit: (lines: string[]) => string[]): void =>
  writeFileSync(file, edit(readFileSync(file, 'utf8').split('\n')).join('\n'));

describe('the audit log', () => {
  it('chains its lines', () => {
    const { log, file } = setup(3);
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ seq, call }) => [seq, call])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(lines[0].prev).toBe('0'.repeat(64));
    expect([lines[1].prev, lines[2].prev]).toEqual([lines[0].hash, lines[1].hash]);
    expect(log.verify()).toEqual({ ok: true, lines: 3, problems: [] });
  });

  it('is fine when it does not exist', () => {
    const { log } = setup();
    expect(log.verify()).toEqual({ ok: true, lines: 0, problems: [] });
    expect(log.read({})).toEqual({ entries: [], problems: [] });
  });

  const tampering: [name: string, change: (setup: Setup) => void, expected: RegExp][] = [
    [
      'a changed line',
      ({ file }) => editLines(file, (lines) => lines.map((line) => line.replace('"call":2', '"call":9'))),
      /^broken 2 was changed/,
    ],
    [
      'a removed line',
      ({ file }) => editLines(file, (lines) => lines.toSpliced(1, 1)),
      /^broken 2 does not follow line number 1/,
    ],
    [
      'a removed first line',
      ({ file }) => editLines(file, (lines) => lines.slice(1)),
      /^broken 1 is line number 2: the lines before/,
    ],
    [
      'a removed last line',
      ({ file }) => editLines(file, (lines) => lines.toSpliced(3, 1)),
      /^broken 0 names line number 4/,
    ],
    [
      'a last line turned to noise',
      ({ file }) => editLines(file, (lines) => lines.toSpliced(3, 1, 'x')),
      /^broken 0 names line number 4/,
    ],
    [
      'exchanged lines',
      ({ file }) => editLines(file, ([a = '', b = '', ...rest]) => [b, a, ...rest]),
      /^broken 1 is line number 2/,
    ],
    [
      'a repeated line',
      ({ file }) => editLines(file, ([a = '', ...rest]) => [a, a, ...rest]),
      /^broken 2 is line number 1 after number 1/,
    ],
    ['a file emptied', ({ file }) => truncateSync(file), /^broken 0 names line number 4/],
    ['a file removed', ({ file }) => rmSync(file), /^broken 0 names line number 4/],
    ['the anchor removed', ({ head }) => rmSync(head), /^broken 0 is missing/],
    [
      'the anchor set back by hand',
      ({ file, head }) => {
        const second = JSON.parse(readFileSync(file, 'utf8').split('\n')[1] ?? '');
        editLines(file, (lines) => [...lines.slice(0, 2), '']);
        writeFileSync(head, `${'2'.padStart(16, '0')} ${second.hash}${readFileSync(head, 'utf8').slice(81)}`);
      },
      /^broken 0 is damaged/,
    ],
  ];
  it.each(tampering)('shows %s, also after more lines were added', (_name, change, expected) => {
    const made = setup(4);
    change(made);
    expect(made.log.verify().ok).toBe(false);
    expect(reasons(made.log).join('\n')).toMatch(new RegExp(expected.source, 'm'));
    add(made.log, 2, 5);
    expect(made.log.verify().ok).toBe(false);
  });

  it('closes off a torn line, names it, and keeps the chain', () => {
    const { log, file } = setup(2);
    const next = readFileSync(file, 'utf8').split('\n')[1] ?? '';
    appendFileSync(file, next.slice(0, 40));
    expect(reasons(log)).toEqual([expect.stringMatching(/^torn 3 is cut short/)]);
    add(log, 2, 3);
    expect(log.verify()).toMatchObject({ ok: true, lines: 4, problems: [{ kind: 'torn', file, line: 3 }] });
  });

  it('goes on from lines whose writers were killed before they could move the anchor', () => {
    const { log, file, head } = setup(2);
    const anchor = readFileSync(head);
    add(log, 2, 3);
    writeFileSync(head, anchor);
    expect(log.verify()).toEqual({ ok: true, lines: 4, problems: [] });
    truncateSync(file, readFileSync(file).length - 1);
    add(log, 1, 5);
    expect(log.verify()).toEqual({ ok: true, lines: 5, problems: [] });
  });

  it('survives the first writer being killed between line and anchor', () => {
    const { log, head } = setup(1);
    rmSync(head);
    expect(log.verify().ok).toBe(true);
    add(log, 1, 2);
    expect(log.verify()).toEqual({ ok: true, lines: 2, problems: [] });
  });

  it('rotates, and the chain goes across', () => {
    const { log, directory } = setup(20, 1000);
    const rotated = readdirSync(directory).filter((name) => /^audit\.[0-9]+\.jsonl$/.test(name));
    expect(rotated.length).toBeGreaterThan(3);
    expect(log.verify()).toEqual({ ok: true, lines: 20, problems: [] });
    expect(log.read({ limit: 15 }).entries.map(({ event }) => event.call)).toEqual(
      Array.from({ length: 15 }, (_, number) => number + 6),
    );
    rmSync(join(directory, 'audit.2.jsonl'));
    expect(log.verify().ok).toBe(false);
  });

  it.each([
    [{}, [1, 2, 3, 4, 5]],
    [{ limit: 2 }, [4, 5]],
    [{ limit: 0 }, []],
    [{ since: timeOf(4) }, [4, 5]],
    [{ since: timeOf(2), limit: 3 }, [3, 4, 5]],
    [{ since: timeOf(9) }, []],
  ])('reads %j', (choice, calls) => {
    expect(
      setup(5)
        .log.read(choice)
        .entries.map(({ event }) => event.call),
    ).toEqual(calls);
  });

  it('keeps its own fields its own', () => {
    const { log } = setup();
    log.append(
      { seq: 99, prev: 'x', hash: 'y', time: 'z', recovered: 'r', call: 1, gone: undefined, odd: Number.NaN },
      timeOf(1),
    );
    expect(() => log.append({ deep: JSON.parse('['.repeat(40) + ']'.repeat(40)) }, timeOf(2))).toThrow(
      /cannot be logged/,
    );
    expect(() => log.append({ long: 'x'.repeat(300_000) }, timeOf(2))).toThrow(/too long/);
    expect(log.verify().ok).toBe(true);
    expect(log.read({}).entries).toMatchObject([{ seq: 1, time: timeOf(1), event: { call: 1 } }]);
  });

  it('never crashes on any bytes, and passes none of them off as a line', () => {
    const { log, file, head, directory } = setup(3);
    const [wholeFile, wholeHead] = [readFileSync(file), readFileSync(head)];
    mkdirSync(directory, { recursive: true });
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.nat(wholeFile.length),
        fc.boolean(),
        (noise, position, inHead) => {
          const [target, whole] = inHead ? [head, wholeHead] : [file, wholeFile];
          writeFileSync(file, wholeFile);
          writeFileSync(head, wholeHead);
          const cut = position % whole.length;
          const changed = Buffer.concat([
            whole.subarray(0, cut),
            noise,
            whole.subarray(Math.min(whole.length, cut + noise.length)),
          ]);
          writeFileSync(target, changed);
          const { lines } = log.verify();
          expect(lines).toBeLessThanOrEqual(3);
          if (!inHead && cut + noise.length < whole.length && !changed.equals(whole))
            expect(log.verify().problems).not.toEqual([]);
          add(log, 1, 4);
          expect(log.read({}).entries.at(-1)?.event.call).toBe(4);
        },
      ),
      { numRuns: 150 },
    );
  });
});
