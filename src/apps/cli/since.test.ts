import { describe, expect, it } from 'vitest';
import { duration, sinceTime } from './since.ts';

const now = Date.parse('2026-03-05T12:00:00Z');

describe('a period', () => {
  const table: [text: string, expected: string][] = [
    ['30d', '2026-02-03T12:00:00.000Z'],
    ['12h', '2026-03-05T00:00:00.000Z'],
    ['45m', '2026-03-05T11:15:00.000Z'],
    ['2w', '2026-02-19T12:00:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
  ];
  it.each(table)('%s', (text, expected) => expect(sinceTime(text, now)).toBe(expected));
  it.each(['', '30', '30x', '-1d', 'yesterday', '2026-13-01', '1e3d'])('refuses %j', (text) => {
    expect(() => sinceTime(text, now)).toThrow(/--since takes/);
  });
});

describe('a duration', () => {
  const table: [secs: number, expected: string][] = [
    [0, '0s'],
    [59, '59s'],
    [23 * 60 + 40, '23m'],
    [3600, '1h'],
    [2 * 3600 + 5 * 60, '2h 5m'],
    [86_400, '1d'],
    [3 * 86_400 + 4 * 3600 + 59, '3d 4h'],
    [-5, '0s'],
  ];
  it.each(table)('%d s', (secs, expected) => expect(duration(secs * 1000)).toBe(expected));
});
