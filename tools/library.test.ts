import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Resolution, typeErrors } from './type-check.ts';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));
const built = existsSync(join(packageRoot, 'dist/types/index.d.ts'));
const note = built ? '' : ' (skipped: dist is not there, run `npm run build` first)';

/** What somebody writes who builds on hookwise: every promised name is used with its type. */
const consumer = `
import {
  type CacheKey, type CacheStats, type CascadeInput, type CascadeRunner, type CascadeTier, type CompiledPathPolicy,
  type Decision, type DecisionMetadata, type DecisionQueue, type DecisionRecord, type DecisionTier, type ExactCache,
  type HookInput, type HookOutput, type HumanResponse, type PendingDecision, type PolicyConfig, type Result,
  type RoleDefinition, type Sanitizer, type SanitizePipeline, type ScopedDecision, type ScopeLevel, type ScopeResolver,
  type SecretFinding, type SessionContext, type SessionManager, type StorageBackend,
  ahoCorasickSanitizer, builtinRoles, CaptainHookError, callJudge, cascadeRunner, compilePathPolicy, defaultPipeline,
  entropySanitizer, errors, exactCache, explain, extractFilePath, HookwiseError, hookOutput, jsonlStorage,
  parseHookInput, pathPolicyEngine, policyAt, queueStore, readHookInput, regexSanitizer, sanitizePipeline,
  scopeResolver, sessionManager, shannonEntropy, tierNames, writeHookOutput,
} from 'hookwise';

declare const process: { argv: string[]; env: Record<string, string | undefined> };
const [, , project = '', home = ''] = process.argv;
const options = { directory: project, env: { HOOKWISE_HOME: home }, caller: () => ({ kind: 'terminal' }) as const };
const seen: Record<string, unknown> = {};

const policy: PolicyConfig = await policyAt(options);
const coder: RoleDefinition | undefined = policy.roles['coder'] ?? builtinRoles.get('coder');
if (coder === undefined) throw new Error('no role');
const compiled: CompiledPathPolicy = compilePathPolicy(coder);
const tier: CascadeTier = pathPolicyEngine(compiled, { root: project });

const sessions: SessionManager = await sessionManager(options);
const session: SessionContext = sessions.register('s1', { role: 'coder' });
const runner: CascadeRunner = await cascadeRunner(options);
const toolInput = { file_path: 'tests/a.ts', content: '' };
const record: DecisionRecord | undefined = await runner.evaluate(session, 'Write', toolInput);
if (record === undefined) throw new Error('no record');
const metadata: DecisionMetadata = record.metadata;
const by: DecisionTier = metadata.tier;
seen.evaluated = [record.decision, tierNames[by]];
const input: CascadeInput = { session, toolName: 'Write', toolInput, sanitizedInput: 'tests/a.ts' };
seen.byPath = (await tier.evaluate(input))?.decision;
seen.path = extractFilePath('Write', toolInput);

const key: CacheKey = { sanitized_input: 'npm test', tool: 'Bash', role: 'coder' };
const decision: Decision = 'allow';
const asked = await runner.evaluate(session, 'Bash', { command: 'npm test' });
if (asked === undefined) throw new Error('no record');
const stored: DecisionRecord = { ...asked, decision, scope: 'user' };
const cache: ExactCache = exactCache({ now: Date.now });
cache.loadFrom([stored]);
const stats: CacheStats = cache.stats();
seen.cached = [cache.lookup(key)?.decision, stats.totalEntries];
runner.persistDecision(stored);
const storage: StorageBackend = await jsonlStorage(options);
const resolver: ScopeResolver = scopeResolver(storage);
const scoped: ScopedDecision | undefined = resolver.resolve(key, session);
const scope: ScopeLevel | undefined = scoped?.scope;
seen.resolved = [scoped?.decision, scope];
const findings: readonly SecretFinding[] = storage.scanForSecrets(storage.scopeDirectory('user') ?? '');
seen.findings = findings.length;
seen.next = (await runner.evaluate(session, 'Bash', { command: 'npm test' }))?.metadata.tier;

const queue: DecisionQueue = queueStore({ state: home + '/state' });
const waiting: readonly PendingDecision[] = queue.listPending(Date.now()).items;
const answer: HumanResponse = { decision: 'deny', always_ask: false, add_rule: false, actor: 'user:x', answered_at: '' };
seen.queue = [waiting.length, queue.respond('x', { response: answer, now: 0 }).ok];

const judge = await callJudge(options);
seen.explained = explain(judge({ role: 'coder', toolName: 'Write', toolInput }).evaluation).at(-1)?.split(':')[0];

const layers = [ahoCorasickSanitizer(['tok_']), regexSanitizer(['id-[0-9]+']), entropySanitizer()];
const own: SanitizePipeline = sanitizePipeline(layers);
const whole: Sanitizer = defaultPipeline();
seen.sanitised = [own.sanitize('a tok_abcdef id-7'), whole.name, layers.map(({ name }) => name), shannonEntropy('aaaa')];

const parsed: Result<HookInput, HookwiseError> = parseHookInput('{}');
const output: HookOutput = hookOutput('ask');
writeHookOutput(output, (text) => { seen.output = text; });
seen.failed = [parsed.ok, typeof readHookInput, CaptainHookError === HookwiseError, errors.roleNotFound('x') instanceof CaptainHookError];
try { sessions.register('s1', { role: 'wizard' }); }
catch (thrown) { seen.thrown = thrown instanceof HookwiseError && thrown.kind; }
console.log(JSON.stringify(seen));
`;

describe.skipIf(!built)(`a consumer of the built library${note}`, () => {
  let top: string;

  beforeAll(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'hookwise-consumer-')));
    mkdirSync(join(top, 'node_modules'));
    symlinkSync(packageRoot, join(top, 'node_modules/hookwise'));
    writeFileSync(join(top, 'package.json'), '{"type":"module"}');
    writeFileSync(join(top, 'consumer.ts'), `${consumer}\ndeclare const console: { log(text: string): void };\n`);
    writeFileSync(join(top, 'consumer.js'), transformSync(consumer, { loader: 'ts', format: 'esm' }).code);
    mkdirSync(join(top, 'project/.hookwise'), { recursive: true });
    mkdirSync(join(top, 'home'), { mode: 0o700 });
  });

  afterAll(() => rmSync(top, { recursive: true, force: true }));

  it.each(['nodenext', 'bundler'] satisfies Resolution[])('type-checks with moduleResolution %s', (resolution) => {
    expect(typeErrors(top, { files: ['consumer.ts'], resolution })).toEqual([]);
  });

  it('is told when it uses a name wrongly', () => {
    writeFileSync(join(top, 'wrong.ts'), "import { exactCache, missing } from 'hookwise';\nexactCache(1);\n");
    expect(typeErrors(top, { files: ['wrong.ts'], resolution: 'nodenext' })).toHaveLength(2);
  });

  it('runs', () => {
    const args = [join(top, 'consumer.js'), join(top, 'project'), join(top, 'home')];
    const env = { PATH: process.env.PATH ?? '' };
    const printed = execFileSync(process.execPath, args, { cwd: top, env, encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual({
      evaluated: ['deny', 'path-policy'],
      byPath: 'deny',
      path: 'tests/a.ts',
      cached: ['allow', 1],
      resolved: ['allow', 'user'],
      findings: 0,
      next: 'ExactCache',
      queue: [0, false],
      explained: 'deny [role.coder.deny_write]',
      sanitised: ['a <SECRET:prefix> <SECRET:pattern>', 'pipeline', ['aho-corasick', 'regex', 'entropy'], 0],
      output: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}\n',
      failed: [false, 'function', true, true],
      thrown: 'RoleNotFound',
    });
  });

  it('loads the YAML reader only when a project is opened', () => {
    writeFileSync(join(top, 'load.mjs'), "await import('hookwise');\n");
    writeFileSync(
      join(top, 'hooks.mjs'),
      "import { writeFileSync } from 'node:fs';\nconst seen = [];\nexport const load = async (url, context, next) => {\n  seen.push(url);\n  writeFileSync(process.env.LOADS_FILE, JSON.stringify(seen));\n  return next(url, context);\n};\n",
    );
    const loads = join(top, 'loads.json');
    const register = `data:text/javascript,import { register } from 'node:module'; register('file://${join(top, 'hooks.mjs')}');`;
    const env = { PATH: process.env.PATH ?? '', LOADS_FILE: loads };
    execFileSync(process.execPath, ['--import', register, join(top, 'load.mjs')], { cwd: top, env });
    const files: readonly string[] = JSON.parse(readFileSync(loads, 'utf8'));
    expect(files.some((file) => file.endsWith('/dist/index.js'))).toBe(true);
    expect(files.filter((file) => file.includes('/node_modules/yaml/'))).toEqual([]);
  });
});
