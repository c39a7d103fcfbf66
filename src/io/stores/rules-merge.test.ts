import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryKeyText } from '../../core/model/entry-key.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import type { Verdict } from '../../core/model/verdict.ts';
import { scratch } from '../files/scratch.cases.ts';
import { tidyLocation } from '../memory/tidy.ts';
import { entryDigest, openIndex } from './entry-index.ts';
import { removeRecords, saveDecision } from './rules-change.ts';
import { projectRules } from './rules-location.ts';
import { at, noon, record } from './stores.cases.ts';
import { trustStore } from './trust.ts';
import { loadUserKey } from './user-key.ts';

const by = { who: 'user:ada', when: at };
const inputs = ['tango', 'alpha', 'zulu', 'kilo', 'delta', 'oscar'];

/** A repository with six trusted allows on its main branch. */
const setup = () => {
  const top = scratch();
  const [root, state] = [join(top, 'repo'), join(top, 'state')];
  mkdirSync(root);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: top,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'a'],
        [`GIT_${who}_EMAIL`, 'a@b'],
      ]),
    ),
  };
  const git = (...words: string[]): boolean => spawnSync('git', words, { cwd: root, env }).status === 0;
  const key = loadUserKey(state);
  const trust = trustStore({ state, key, identity: root });
  const location = projectRules(root);
  const file = (verdict: Verdict): string => join(location.path, `${verdict}.jsonl`);
  const save = (line: DecisionRecord): void => void saveDecision(location, line, { state, trust, by });
  const commit = (): void => {
    expect([git('add', '-A'), git('commit', '-q', '-m', 'x')]).toEqual([true, true]);
  };
  for (const input of inputs) save(record({ input }));
  expect(git('init', '-q', '-b', 'main')).toBe(true);
  commit();
  return {
    root,
    git,
    save,
    commit,
    on: (branch: string, work: () => void): void => {
      expect(git('checkout', '-q', '-b', branch, 'main')).toBe(true);
      work();
      commit();
    },
    remove: (input: string) =>
      removeRecords(location, ({ key: call }) => call.sanitized_input === input, { state, trust }),
    tidy: () => tidyLocation({ location, state, trust, now: noon }),
    text: (verdict: Verdict = 'allow') => readFileSync(file(verdict), 'utf8'),
    write: (text: string, verdict: Verdict = 'allow') => writeFileSync(file(verdict), text),
    verdicts: (input: string): string => {
      const index = openIndex({ location, state, key, trust, now: noon });
      const found = index.find([entryDigest(key, entryKeyText({ tool: 'Bash', input, context: 'root' }))]);
      index.close();
      return found.map(({ verdict }) => verdict).join(' ');
    },
  };
};

type Place = ReturnType<typeof setup>;

const reword = ({ text, write }: Place): void =>
  write(text().replace(/("sanitized_input":"kilo".*?"reason":")/, '$1still '));

/** What the other branch does to the line that this one removes. */
const touches: [name: string, work: (place: Place) => void][] = [
  ['words it differently', (place) => reword(place)],
  ['spaces it out', ({ text, write }) => write(text().replace(/.*"kilo".*/, (line) => line.replaceAll(',"', ', "')))],
  [
    'moves it to the top',
    ({ text, write }) => {
      const lines = text().trimEnd().split('\n');
      write(
        `${[...lines.filter((line) => line.includes('kilo')), ...lines.filter((line) => !line.includes('kilo'))].join('\n')}\n`,
      );
    },
  ],
  ['turns all lines round', ({ text, write }) => write(`${text().trimEnd().split('\n').reverse().join('\n')}\n`)],
  ['tidies the file', ({ tidy }) => void tidy()],
];

/** How people end a merge that git cannot end. */
const endings: [name: string, end: (place: Place) => void][] = [
  ['leaving the marks', () => undefined],
  ['taking theirs', ({ git }) => void git('checkout', '--theirs', '--', '.')],
  ['taking both', ({ text, write }) => write(text().replace(/^[<=>|]{7}.*\n/gm, ''))],
];

describe('an allow that one branch removes and another one touches', () => {
  const rows = touches.flatMap(([touch, work]) => endings.map(([ending, end]) => ({ touch, work, ending, end })));
  it.each(rows)('is not in force after the merge: $touch, $ending', ({ work, end }) => {
    const place = setup();
    place.on('touches', () => {
      const before = place.text();
      work(place);
      expect(place.text()).not.toBe(before);
    });
    place.on('removes', () => expect(place.remove('kilo')).toBe(1));
    expect(place.verdicts('kilo')).toBe('');
    if (!place.git('merge', '-q', 'touches')) end(place);
    expect(place.verdicts('kilo')).toBe('');
    for (const input of ['alpha', 'zulu']) expect(place.verdicts(input)).toMatch(/^allow/);
  });

  it('stays removed where a merge driver keeps the lines of both', () => {
    const place = setup();
    writeFileSync(join(place.root, '.gitattributes'), '*.jsonl merge=union\n');
    place.commit();
    place.on('touches', () => reword(place));
    place.on('removes', () => place.remove('kilo'));
    expect(place.git('merge', '-q', 'touches')).toBe(true);
    expect([place.text().includes('kilo'), place.verdicts('kilo'), place.verdicts('alpha')]).toEqual([
      true,
      '',
      'allow',
    ]);
  });
});

describe('branches that both answer', () => {
  it('agree on the stricter answer to the same call', () => {
    const place = setup();
    place.on('denies', () => place.save(record({ input: 'new', decision: 'deny' })));
    place.on('allows', () => place.save(record({ input: 'new' })));
    expect(place.verdicts('new')).toBe('allow');
    expect(place.git('merge', '-q', 'denies')).toBe(true);
    expect(place.verdicts('new')).toBe('allow deny');
  });

  it.each([
    ['as they were appended', false],
    ['once they are tidied', true],
  ])('about different calls merge %s: %s', (_name, isTidied) => {
    const place = setup();
    if (isTidied) {
      place.tidy();
      place.commit();
    }
    for (const [branch, input] of [
      ['one', 'bravo'],
      ['two', 'romeo'],
    ] as const)
      place.on(branch, () => {
        place.save(record({ input }));
        if (isTidied) place.tidy();
      });
    expect(place.git('merge', '-q', 'one')).toBe(isTidied);
    // Both answers are in force either way: the marks of a conflict hide no line.
    expect([place.verdicts('bravo'), place.verdicts('romeo')]).toEqual(['allow', 'allow']);
  });
});
