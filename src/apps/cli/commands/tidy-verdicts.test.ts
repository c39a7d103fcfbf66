import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../agents/claude-code/adapter.ts';
import { canonicalJson } from '../../../core/engine/canonical-json.ts';
import type { DecisionRecord } from '../../../core/model/record.ts';
import type { Verdict } from '../../../core/model/verdict.ts';
import { shellLanguage } from '../../../core/similarity/language.ts';
import { evaluate } from '../../../gate/gate.ts';
import { lineDigest } from '../../compose.ts';
import { contextOf, roleNamed } from '../../session.ts';
import { type CliSandbox, cliSandbox } from '../cli-sandbox.cases.ts';
import { type EntryChange, entry, places } from '../tidy.cases.ts';

const day = 86_400_000;

const commands = ['make all', 'npm test', 'cargo test foo', 'pytest -k foo', 'pytest tests/a.py', 'make -j4'];
const paths = ['src/a.ts', 'docs/b.md'];
const roles = ['tester', 'coder'];

/** What the engine says of many calls, shortly. */
const verdictsOf = (sandbox: CliSandbox): string[] => {
  const project = sandbox.project();
  const calls = [
    ...commands.map((command) => ({ tool: 'Bash', input: { command } })),
    ...paths.flatMap((path) =>
      ['Write', 'Edit'].map((tool) => ({
        tool,
        input: { file_path: `${sandbox.root}/${path}`, content: 'x', old_string: 'a', new_string: 'b' },
      })),
    ),
  ];
  const said = calls.flatMap(({ tool, input }) =>
    roles.flatMap((name) =>
      [sandbox.root, `${sandbox.root}/src`, sandbox.home].map((cwd) => {
        const decoded = claudeCode.decode({
          session_id: 's-1',
          cwd,
          hook_event_name: 'PreToolUse',
          tool_name: tool,
          tool_input: input,
        });
        const role = roleNamed(project, name);
        if (!decoded.ok || decoded.value.kind !== 'before-tool' || role === undefined) throw new Error('not a call');
        const request = decoded.value;
        const context = contextOf(project, { session: request.session, cwd, role });
        const { outcome } = evaluate(request, context, project.gatePorts).evaluation;
        const verdict = outcome.kind === 'settled' ? outcome.decision.verdict : outcome.kind;
        return `${tool} ${JSON.stringify(Object.values(input)[0])} ${name} ${cwd}: ${verdict}`;
      }),
    ),
  );
  project.observer.close();
  return said;
};

const shapes = commands.flatMap((command) => {
  const shape = shellLanguage.shape(command, { root: '/r', cwd: '/r', home: '/h', user: 'u' });
  return shape.kind === 'shape' ? [{ input: shape.text, slots: shape.slots.map(({ type }) => type) }] : [];
});

const patterns = [
  { command: 'make *' },
  { command: 'npm test' },
  { tool: 'Bash' },
  { tool: 'Write' },
  { file: 'src/*' },
];

const questions = fc.oneof(
  fc.constantFrom(...commands.map((input): EntryChange => ({ input }))),
  fc.constantFrom(...shapes.map((shape): EntryChange => shape)),
  fc.constantFrom(
    ...patterns.map(
      (pattern): EntryChange => ({ input: 'any', tool: 'tool' in pattern ? pattern.tool : '*', pattern }),
    ),
  ),
  fc.record({
    input: fc.constantFrom(...paths),
    tool: fc.constantFrom('Write', 'Edit'),
    change: fc.constantFrom<EntryChange['change']>(undefined, 'create', 'modify'),
  }),
);

const rules = fc
  .record({
    question: questions,
    role: fc.constantFrom(...roles, '*'),
    decision: fc.constantFrom<Verdict>('allow', 'allow', 'deny', 'ask'),
    context: fc.constantFrom<DecisionRecord['context']>(undefined, 'root', 'root', 'inside:src', 'outside'),
    ends: fc.constantFrom(undefined, undefined, -1, 1, 2),
    trusted: fc.boolean(),
    place: fc.constantFrom<keyof typeof places | 'own'>('own', 'own', 'here', 'user', 'deny', 'ask'),
    seconds: fc.nat(3),
  })
  .map(({ question, role, decision, context, ends, trusted, place, seconds }) => {
    const {
      context: _,
      change,
      ...line
    } = entry({
      ...JSON.parse(JSON.stringify(question)),
      role,
      decision,
      timestamp: `2026-03-01T12:00:0${seconds}.000Z`,
    });
    return {
      trusted,
      ends,
      file: places[place === 'own' ? decision : place],
      line: {
        ...line,
        ...(change === undefined ? {} : { change }),
        ...(context === undefined ? {} : { context }),
        ...(line.key.tool === 'Write' || line.key.tool === 'Edit' ? { file_path: line.key.sanitized_input } : {}),
      },
    };
  });

type Rule = typeof rules extends fc.Arbitrary<infer T> ? T : never;

const fill = (sandbox: CliSandbox, all: readonly Rule[]): void => {
  const at = (ends: number | undefined): { expires_at?: string } =>
    ends === undefined ? {} : { expires_at: new Date(sandbox.now() + ends * day).toISOString() };
  for (const file of new Set(all.map((rule) => rule.file))) {
    const own = all.filter((rule) => rule.file === file);
    const lines = own.map(({ line, ends }) => ({ ...line, ...at(ends) }));
    sandbox.write(file, lines.map((line) => `${canonicalJson(line)}\n`).join(''));
    const trusted = lines.filter((_, number) => own[number]?.trusted === true);
    sandbox.project().trust.addTrusted(
      trusted.map((line) => lineDigest(file, canonicalJson(line))),
      { who: 'x', when: 'now' },
    );
  }
};

describe('tidy, whatever the rules', () => {
  it('gives no call another answer, now or later, and writes no line that was not there', async () => {
    let gone = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(rules, { minLength: 2, maxLength: 14 }), fc.boolean(), async (all, conflicts) => {
        const [sandbox, untouched] = [cliSandbox(), cliSandbox()];
        try {
          for (const one of [sandbox, untouched]) fill(one, all);
          const before = Object.values(places).map((file) => linesOf(sandbox, file));
          const expected = verdictsOf(untouched);
          const { code, err } = await sandbox.run(['tidy', ...(conflicts ? ['--conflicts'] : [])]);
          expect([code, err]).toEqual([0, []]);
          const shown = (verdicts: readonly string[], home: string) => verdicts.map((one) => one.replaceAll(home, '~'));
          const check = () =>
            expect(shown(verdictsOf(sandbox), sandbox.home)).toEqual(shown(verdictsOf(untouched), untouched.home));
          expect(shown(verdictsOf(sandbox), sandbox.home)).toEqual(shown(expected, untouched.home));
          const after = Object.values(places).map((file) => linesOf(sandbox, file));
          for (const [at, lines] of after.entries()) {
            expect(lines.filter((line) => before[at]?.includes(line) !== true)).toEqual([]);
            gone += (before[at]?.length ?? 0) - lines.length;
          }
          for (const ms of [1.5 * day, day]) {
            for (const one of [sandbox, untouched]) one.pass(ms);
            check();
          }
        } finally {
          sandbox.remove();
          untouched.remove();
        }
      }),
      { numRuns: 10 },
    );
    expect(gone).toBeGreaterThan(0);
  }, 120_000);
});

const linesOf = (sandbox: CliSandbox, file: string): string[] => {
  try {
    return sandbox.read(file).split('\n').slice(0, -1);
  } catch {
    return [];
  }
};
