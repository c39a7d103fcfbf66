/** A file that breaks a rule on purpose, and the rule that must say so. */
export type Break = { readonly rule: string; readonly file: string; readonly text: string };

const uses = (from: string): string => `import { thing } from '${from}';\nexport const used = thing;\n`;

/** Packages of the tree that is broken: what is declared, for what, and one that is not declared at all. */
export const treePackages = {
  dependencies: ['unbash', 'picomatch', 're2js', '@noble/hashes', 'yaml'],
  devDependencies: ['vitest'],
  undeclared: ['stray'],
} as const;

export const breaks: readonly Break[] = [
  { rule: 'core-sees', file: 'src/core/model/sees.ts', text: uses('../../gate/thing.ts') },
  { rule: 'core-sees', file: 'src/core/model/sees-type.ts', text: "export type { Thing } from '../../io/thing.ts';\n" },
  { rule: 'core-sees', file: 'src/core/model/sees-entry.ts', text: uses('../../index.ts') },
  { rule: 'core-sees', file: 'src/core/model/sees.test.ts', text: uses('../../io/thing.ts') },
  { rule: 'agents-sees', file: 'src/agents/sees.ts', text: uses('../gate/thing.ts') },
  { rule: 'gate-sees', file: 'src/gate/sees.ts', text: uses('../io/thing.ts') },
  { rule: 'io-sees', file: 'src/io/sees.ts', text: uses('../gate/thing.ts') },
  { rule: 'io-sees', file: 'src/io/sees-app.ts', text: uses('../apps/one/thing.ts') },
  { rule: 'io-sees', file: 'src/io/sees-agent.ts', text: uses('../agents/thing.ts') },
  { rule: 'apps-sees', file: 'src/apps/one/sees.ts', text: uses('../../index.ts') },

  { rule: 'core-without-node', file: 'src/core/model/builtin.ts', text: "export { join } from 'node:path';\n" },
  { rule: 'core-without-node', file: 'src/core/model/bare-builtin.ts', text: "export { join } from 'path';\n" },
  { rule: 'agents-without-node', file: 'src/agents/builtin.ts', text: "export const fs = () => import('node:fs');\n" },
  { rule: 'gate-without-node', file: 'src/gate/builtin.ts', text: "export type { Stats } from 'node:fs';\n" },

  { rule: 'core-packages', file: 'src/core/model/package.ts', text: uses('yaml') },
  { rule: 'agents-packages', file: 'src/agents/package.ts', text: uses('unbash') },
  { rule: 'gate-packages', file: 'src/gate/package.ts', text: uses('@noble/hashes') },
  { rule: 'io-packages', file: 'src/io/package.ts', text: uses('vitest') },
  { rule: 'io-packages', file: 'src/io/package-undeclared.ts', text: uses('stray') },
  { rule: 'apps-packages', file: 'src/apps/one/package.ts', text: uses('vitest') },

  { rule: 'core-model-order', file: 'src/core/model/order.ts', text: uses('../paths/thing.ts') },
  { rule: 'core-model-order', file: 'src/core/model/order-ports.ts', text: uses('../ports.ts') },
  { rule: 'core-paths-order', file: 'src/core/paths/order.ts', text: uses('../sanitize/thing.ts') },
  { rule: 'core-sanitize-order', file: 'src/core/sanitize/order.ts', text: uses('../shell/thing.ts') },
  { rule: 'core-shell-order', file: 'src/core/shell/order.ts', text: uses('../similarity/thing.ts') },
  { rule: 'core-similarity-order', file: 'src/core/similarity/order.ts', text: uses('../policy/thing.ts') },
  { rule: 'core-policy-order', file: 'src/core/policy/order.ts', text: uses('../engine/thing.ts') },
  { rule: 'core-engine-order', file: 'src/core/engine/order.ts', text: uses('../ports.ts') },
  { rule: 'core-ports-order', file: 'src/core/ports.ts', text: "export type { Thing } from './engine/thing.ts';\n" },

  { rule: 'agents-apart', file: 'src/agents/one/apart.ts', text: uses('../two/thing.ts') },
  { rule: 'apps-apart', file: 'src/apps/one/apart.ts', text: uses('../two/thing.ts') },
  { rule: 'compose-starts-nothing', file: 'src/apps/compose.ts', text: uses('./one/thing.ts') },
  { rule: 'apps-compose', file: 'src/apps/one/stores.ts', text: uses('../../io/stores/thing.ts') },
  { rule: 'apps-compose', file: 'src/apps/one/observe.ts', text: uses('../../io/observe/thing.ts') },
  { rule: 'entries-reexport', file: 'src/importing.ts', text: uses('./gate/thing.ts') },
  { rule: 'entries-start-nothing', file: 'src/starting.ts', text: "export { thing } from './apps/one/thing.ts';\n" },
  { rule: 'inside-source', file: 'src/io/outside.ts', text: uses('../../tools/thing.ts') },
  { rule: 'tests-stay-tests', file: 'src/gate/uses-cases.ts', text: uses('./thing.cases.ts') },
  { rule: 'no-cycle', file: 'src/gate/circle.ts', text: "export type { Self } from './circle-back.ts';\n" },
  { rule: 'no-cycle', file: 'src/gate/circle-back.ts', text: "export type { Circle as Self } from './circle.ts';\n" },
  { rule: 'no-orphan', file: 'src/gate/orphan.ts', text: 'export const alone = 1;\n' },
  { rule: 'resolvable', file: 'src/gate/unresolvable.ts', text: uses('./not-there.ts') },
];
