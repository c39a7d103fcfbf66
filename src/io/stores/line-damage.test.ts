import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../core/engine/canonical-json.ts';
import { mayRestrict } from './line-damage.ts';
import { record } from './stores.cases.ts';

const line = (change: Parameters<typeof record>[0]): string => canonicalJson(record(change));
const torn = (text: string): string => text.slice(0, -40);

describe('a line that cannot be used', () => {
  const cases: [name: string, text: string, allow: boolean, deny: boolean, all: boolean][] = [
    ['garbage', 'hello', false, true, true],
    ['a comment', '# no more', false, true, true],
    ['a torn allow', torn(line({})), false, true, false],
    ['a torn deny', torn(line({ decision: 'deny' })), true, true, true],
    ['a torn ask', torn(line({ decision: 'ask', actor: 'user:ada' })), true, true, true],
    ['cut off before its verdict', '{"actor":"user:ada","context":"ro', false, true, true],
    ['an allow with an unknown context', line({}).replace('"root"', '"somewhere"'), false, true, false],
    ['a deny of a later version', line({ decision: 'deny' }).replace('"v":1', '"v":2'), true, true, true],
    ['two verdicts', line({}).replace('{', '{"decision":"deny",'), true, true, true],
    ['an allow whose call speaks of a deny', torn(line({ input: 'echo {"decision":"deny"}' })), false, true, false],
    ['spaced out', '{ "decision" : "ask" ', true, true, true],
    ['the start of a conflict', '<<<<<<< HEAD', false, false, false],
    ['the middle of a conflict', '=======', false, false, false],
    ['the base of a conflict', '||||||| 1a2b3c4', false, false, false],
    ['the end of a conflict', '>>>>>>> feature\r', false, false, false],
    ['nearly a conflict mark', '======= {"role":"x"}', false, true, true],
  ];
  it.each(cases)('%s', (_name, text, allow, deny, all) => {
    const bytes = Buffer.from(text);
    expect(mayRestrict(bytes, { path: 'allow.jsonl', verdict: 'allow' })).toBe(allow);
    expect(mayRestrict(bytes, { path: 'deny.jsonl', verdict: 'deny' })).toBe(deny);
    expect(mayRestrict(bytes, { path: 'ask.jsonl', verdict: 'ask' })).toBe(deny);
    expect(mayRestrict(bytes, { path: 'user.jsonl' })).toBe(all);
  });
});
