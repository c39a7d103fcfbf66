import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** What one run of vitest came to, as tools/test-summary.mjs reads it. */
export type Report = {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
};

/** Why a test was skipped: the note it was skipped with, or `(skipped: …)` in the name of its suite. */
export const skipReason = (fullName: string, note: string | undefined): string =>
  note ?? /\(skipped: (.+?)\)(?= > |$)/.exec(fullName)?.[1] ?? 'no reason given';

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

/** Files and suites that broke outside a test: their tests count as skipped, so the break counts by itself. */
const brokenOutsideTests = (modules: readonly TestModule[]): readonly string[] =>
  modules.flatMap((module) => [
    ...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map(({ message }) => `${module.relativeModuleId} > ${suite.fullName}: ${message}`),
    ),
  ]);

const readRun = (modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): Report => {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (...states: readonly string[]) => tests.filter((test) => states.includes(test.result().state));
  return {
    passed: inState('passed').length,
    failed: [
      ...inState('failed', 'pending').map(nameOf),
      ...brokenOutsideTests(modules),
      ...unhandled.map(({ message }) => `outside every test: ${message}`),
    ],
    skipped: inState('skipped').map((test) => {
      const result = test.result();
      return { name: nameOf(test), reason: skipReason(test.fullName, 'note' in result ? result.note : undefined) };
    }),
  };
};

/** Writes `<run>.json` into the directory that TEST_REPORTS names; without one there is nothing to report. */
export const testReport = (run: string): readonly Reporter[] => {
  const directory = process.env.TEST_REPORTS;
  if (directory === undefined || directory === '') return [];
  const onTestRunEnd: Reporter['onTestRunEnd'] = (modules, unhandled) => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `${run}.json`), JSON.stringify(readRun(modules, unhandled)));
  };
  return [{ onTestRunEnd }];
};
