import { describe, expect, test } from 'vitest';
import { slotForms } from '../sanitize/properties.cases.ts';
import { sanitize } from '../sanitize/sanitize.ts';
import { spellings, strangers } from './canonical.cases.ts';
import { canonicalCommand } from './canonical.ts';
import { readShell } from './registry.ts';
import { toEffects } from './to-effects.ts';
import { builtinVerdict } from './verdict.ts';

const context = { cwd: '/home/u/proj', home: '/home/u', user: 'u', root: '/home/u/proj' };

const canonical = (text: string): string => canonicalCommand(text, { ...context, reading: readShell(text, context) });

const meaning = (text: string): unknown => {
  const reading = readShell(text, context);
  return { effects: toEffects(reading), verdict: builtinVerdict(reading, context).verdict, complete: reading.complete };
};

describe('spellings of one command', () => {
  test('there are enough of them', () => {
    expect(spellings.flatMap(([, ...others]) => others).length).toBeGreaterThanOrEqual(250);
    expect(strangers.length).toBeGreaterThanOrEqual(300);
  });

  test.each(spellings)('%s', (form, ...others) => {
    for (const other of others) {
      expect(canonical(other), other).toBe(form);
      expect(readShell(other, context).complete, other).toBe(true);
      expect(meaning(other), other).toEqual(meaning(others[0] ?? ''));
    }
    if (!form.includes('<ANY:')) expect(canonical(form)).toBe(form);
  });
});

describe('commands that differ', () => {
  test.each(strangers)('%s is not %s', (one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });
});

describe('secrets', () => {
  const secrets = ['hunter2hunter2', 'Zq8vLw02-kd', 'p%40ss_w0rd', 'corr3ct,horse', 'x7!kQz'];
  const around = [(text: string) => text, (text: string) => `${text} 2>&1 `, (text: string) => `pwd  # c\n${text}`];

  test.each(secrets)('%s found in a text is found in its one form', (secret) => {
    let changed = 0;
    for (const slot of slotForms) {
      for (const placed of around) {
        const text = placed(slot(secret));
        const form = canonical(text);
        if (form !== text) changed += 1;
        if (!sanitize(text).text.includes(secret)) expect(sanitize(form).text).not.toContain(secret);
        if (!sanitize(text).canonical.includes(secret)) expect(sanitize(form).canonical).not.toContain(secret);
      }
    }
    expect(changed).toBeGreaterThan(5);
  });
});
