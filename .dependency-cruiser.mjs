// @ts-check

/**
 * Who may import whom. A folder sees itself and what `sees` names; `packages` are the npm packages its code may
 * import (`declared`: every dependency in package.json that is not for development), `builtins` whether `node:` may be.
 * @type {Readonly<Record<string, { sees: readonly string[], packages: readonly string[] | 'declared', builtins: boolean }>>}
 */
export const folders = {
  core: { sees: [], packages: ['unbash', '@noble/hashes'], builtins: false },
  agents: { sees: ['core'], packages: [], builtins: false },
  gate: { sees: ['core'], packages: [], builtins: false },
  io: { sees: ['core'], packages: 'declared', builtins: true },
  apps: { sees: ['core', 'agents', 'gate', 'io'], packages: 'declared', builtins: true },
};

/** The folders of core in order: each sees those in earlier rows, none sees its neighbours in the same row. */
export const coreOrder = [['model'], ['paths', 'sanitize'], ['shell'], ['similarity'], ['policy'], ['engine']];

/** The only files that stand beside the folders of `core` and `apps`. */
export const looseFiles = {
  core: ['ports.ts'],
  apps: ['compose.ts', 'library.ts', 'session-manager.ts', 'session.ts', 'workspace.ts'],
};

/** The files of apps that a public entry may show: they start nothing. */
const shown = ['compose.ts', 'library.ts', 'session-manager.ts'];

/** The only place that picks implementations. */
const composer = 'compose.ts';

/** What apps reach only through compose.ts. */
export const composed = ['stores', 'supervisors', 'queue', 'observe'];

const entries = '^src/[^/]+\\.ts$';
const tests = ['\\.(test|cases)\\.ts$', '/conformance\\.ts$'];

/** @param {string} text */
const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** @param {readonly string[]} names */
const anyOf = (names) => `(${names.map(literal).join('|')})`;

/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule */

/** @param {string} name
 * @param {string} comment
 * @param {Pick<Rule, 'from' | 'to'>} what
 * @returns {Rule} */
const forbid = (name, comment, what) => ({ name, comment, severity: 'error', ...what });

/** @returns {Rule[]} */
const folderRules = () =>
  Object.entries(folders).map(([folder, { sees }]) =>
    forbid(`${folder}-sees`, `${folder} may import ${[folder, ...sees].join(', ')} and nothing else of src`, {
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/${anyOf([folder, ...sees])}/` },
    }),
  );

/** @returns {Rule[]} */
const builtinRules = () =>
  Object.entries(folders)
    .filter(([, { builtins }]) => !builtins)
    .map(([folder]) =>
      forbid(
        `${folder}-without-node`,
        `${folder} has no node: modules; what it needs of the machine comes as arguments`,
        {
          from: { path: `^src/${folder}/`, pathNot: tests },
          to: { dependencyTypes: ['core'] },
        },
      ),
    );

/** @returns {Rule[]} */
const packageRules = () =>
  Object.entries(folders).map(([folder, { packages }]) =>
    forbid(
      `${folder}-packages`,
      packages === 'declared'
        ? `${folder} may import only packages that users of hookwise get`
        : `${folder} may import only these packages: ${packages.join(', ') || 'none'}`,
      {
        from: { path: `^src/${folder}/`, pathNot: tests },
        to:
          packages === 'declared'
            ? { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] }
            : {
                path: '(^|/)node_modules/',
                ...(packages.length > 0 && { pathNot: `(^|/)node_modules/${anyOf(packages)}/` }),
              },
      },
    ),
  );

/** @returns {Rule[]} */
const coreOrderRules = () =>
  coreOrder.flatMap((row, index) =>
    row.map((folder) => {
      const seen = [folder, ...coreOrder.slice(0, index).flat()];
      return forbid(`core-${folder}-order`, `core/${folder} may import only these of core: ${seen.join(', ')}`, {
        from: { path: `^src/core/${folder}/` },
        to: { path: '^src/core/', pathNot: `^src/core/${anyOf(seen)}/` },
      });
    }),
  );

/** @type {Rule[]} */
const otherRules = [
  forbid('core-ports-order', 'the ports speak of the model only', {
    from: { path: `^src/core/${anyOf(looseFiles.core)}$` },
    to: { path: '^src/core/', pathNot: '^src/core/model/' },
  }),
  forbid('agents-apart', 'an agent knows nothing of another agent', {
    from: { path: '^src/agents/([^/]+)/' },
    to: { path: '^src/agents/[^/]+/', pathNot: '^src/agents/$1/' },
  }),
  forbid('apps-apart', `an app may share ${looseFiles.apps.join(', ')} with another app, and nothing else`, {
    from: { path: '^src/apps/([^/]+)/' },
    to: { path: '^src/apps/', pathNot: ['^src/apps/$1/', `^src/apps/${anyOf(looseFiles.apps)}$`] },
  }),
  forbid('compose-starts-nothing', `${composer} picks implementations and knows no app`, {
    from: { path: `^src/apps/${literal(composer)}$` },
    to: { path: '^src/apps/' },
  }),
  forbid('apps-compose', `apps get ${composed.join(', ')} through ${composer}`, {
    from: { path: '^src/apps/[^/]+/' },
    to: { path: `^src/io/${anyOf(composed)}/` },
  }),
  forbid('entries-reexport', 'a public entry only says `export … from`', {
    from: { path: entries },
    to: { dependencyTypes: ['import', 'dynamic-import', 'require', 'import-equals'] },
  }),
  forbid('entries-start-nothing', `a public entry exposes no app, only ${shown.join(', ')}`, {
    from: { path: entries },
    to: { path: '^src/apps/', pathNot: `^src/apps/${anyOf(shown)}$` },
  }),
  forbid('inside-source', 'src imports nothing of the repository outside src, except package.json', {
    from: { path: '^src/', pathNot: tests },
    to: { pathNot: ['^src/', '(^|/)node_modules/', '^package\\.json$'], dependencyTypes: ['local'] },
  }),
  forbid('tests-stay-tests', 'code does not import its tests', {
    from: { path: '^src/', pathNot: tests },
    to: { path: tests },
  }),
  forbid('no-cycle', 'modules do not import each other in a circle, types included', {
    from: {},
    to: { circular: true },
  }),
  forbid('no-orphan', 'every module is used or uses something', {
    from: { orphan: true, pathNot: [entries, ...tests] },
    to: {},
  }),
  forbid('resolvable', 'every import is found', { from: {}, to: { couldNotResolve: true } }),
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [...folderRules(), ...builtinRules(), ...packageRules(), ...coreOrderRules(), ...otherRules],
  options: {
    doNotFollow: { path: '(^|/)node_modules/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types', 'default'] },
  },
};
