import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anyContext, entryKeyText, shapeKeyText } from '../../core/model/entry-key.ts';
import type { ContextClass } from '../../core/model/record.ts';
import type { Verdict } from '../../core/model/verdict.ts';
import { scratch } from '../files/scratch.cases.ts';
import { entryDigest, openIndex } from './entry-index.ts';
import { projectRules, type RulesLocation } from './rules-location.ts';
import { noon, record } from './stores.cases.ts';

const key = new Uint8Array(32).fill(3);

const setup = () => {
  const top = scratch();
  const open = (location: RulesLocation, isTrusted = true) => {
    const trust = { isTrusted: () => isTrusted, trustSignature: () => `${isTrusted}` };
    return openIndex({ location, state: join(top, 'state'), key, now: noon, trust });
  };
  const root = join(top, 'repo');
  mkdirSync(root);
  return { root, open };
};

const write = (location: RulesLocation, records: readonly object[], verdict: Verdict = 'allow'): string => {
  const path = location.files.find((file) => file.verdict === verdict)?.path ?? '';
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
};

const digestOf = (input: string, context: ContextClass | typeof anyContext = 'root'): string =>
  entryDigest(key, entryKeyText({ tool: 'Bash', input, context }));

describe('the entry index', () => {
  it('finds entries for a shape under the shape, and never as an exact call', () => {
    const { open, root } = setup();
    const location = projectRules(root);
    const shape = 'pytest <ANY:selector>';
    const slots = ['selector'] as const;
    const { context: _, ...everywhere } = record({ input: shape, slots, decision: 'deny', role: '*' });
    write(location, [
      record({ input: shape, slots }),
      record({ input: shape, slots, role: 'b', context: 'inside:lib' }),
    ]);
    write(location, [everywhere], 'deny');
    const underShape = (context: ContextClass | typeof anyContext) =>
      entryDigest(key, shapeKeyText({ tool: 'Bash', shape, context }));
    for (const _ of [1, 2]) {
      const index = open(location);
      expect(index.find([digestOf(shape), digestOf(shape, anyContext)])).toEqual([]);
      const found = index.find([underShape('root'), underShape('inside:lib')]);
      expect(found.map(({ verdict, role, generalised }) => `${verdict}:${role}:${generalised}`).sort()).toEqual([
        'allow:b:true',
        'allow:tester:true',
        'deny:*:true',
      ]);
      expect(index.find([underShape(anyContext)])).toMatchObject([{ verdict: 'deny', generalised: true }]);
      expect(index.find([digestOf('pytest <ANY:selector>')])).toEqual([]);
      index.close();
    }
    expect(open(location, false).find([underShape('root')])).toMatchObject([{ verdict: 'deny' }]);
  });

  it('says that a line which may have restricted something cannot be read', () => {
    const { open, root } = setup();
    const location = projectRules(root);
    const allow = write(location, [record()]);
    const look = () => {
      const index = open(location);
      index.close();
      return [index.answeredBy, index.restrictionsDamaged, index.problemCount];
    };
    expect(look()).toEqual(['rebuilt', undefined, 0]);
    writeFileSync(allow, `${readFileSync(allow, 'utf8')}{"torn\n`);
    expect([look(), look()]).toEqual([
      ['rebuilt', undefined, 1],
      ['index', undefined, 1],
    ]);
    const deny = write(location, [record({ decision: 'deny' })], 'deny');
    writeFileSync(deny, `${readFileSync(deny, 'utf8')}<<<<<<< HEAD\n{"torn\nmore\n`);
    const source = { file: deny, line: 3 };
    expect([look(), look()]).toEqual([
      ['rebuilt', source, 4],
      ['index', source, 4],
    ]);
  });
});
