import { describe, expect, it } from 'vitest';
import { UsageError } from './command.ts';
import { expiryTime } from './expires.ts';

const now = Date.parse('2026-03-05T12:00:00Z');

describe('expiryTime', () => {
  it.each([
    ['30m', '2026-03-05T12:30:00.000Z'],
    ['12h', '2026-03-06T00:00:00.000Z'],
    ['30d', '2026-04-04T12:00:00.000Z'],
    ['2w', '2026-03-19T12:00:00.000Z'],
    ['2026-03-06', '2026-03-06T00:00:00.000Z'],
    ['2026-03-05T12:01Z', '2026-03-05T12:01:00.000Z'],
    ['2026-03-05T14:30:15.5+02:00', '2026-03-05T12:30:15.500Z'],
    ['521w', '2036-02-28T12:00:00.000Z'],
  ])('%s is %s', (text, time) => expect(expiryTime(text, now)).toBe(time));

  it.each([
    '',
    '30',
    '0d',
    '-3d',
    '3y',
    '3 d',
    '1.5h',
    '9999999d',
    '530w',
    'tomorrow',
    '2026-03-05',
    '2026-03-04',
    '2026-03-05T11:59Z',
    '2026-03-06T12:00',
    '2026-02-30',
    '2026-13-01',
    '2026-04-31T00:00Z',
    '2026-03-06T25:00Z',
    '2036-12-31',
    '03/06/2026',
  ])('%j is none, and the forms are shown', (text) => {
    expect(() => expiryTime(text, now)).toThrow(UsageError);
    expect(() => expiryTime(text, now)).toThrow(/30m, 12h, 30d, 2w.*2030-12-31.*ten years/);
  });
});
