import type { CompiledPolicy } from '../model/policy.ts';
import { compilePolicy, type LayerDocuments } from './compile.ts';
import { nodeOf } from './data-node.cases.ts';
import { readGlobalConfig } from './global-schema.ts';
import { readRoles } from './roles-schema.ts';
import { readPolicy } from './schema.ts';

/** What each place says; absent places have no file. */
export interface Said {
  readonly org?: unknown;
  readonly orgRoles?: unknown;
  readonly user?: unknown;
  readonly userRoles?: unknown;
  readonly config?: unknown;
  readonly project?: unknown;
  readonly projectRoles?: unknown;
  readonly trust?: 'all' | readonly string[];
}

const layer = (directory: string, policy: unknown, roles: unknown): LayerDocuments => ({
  policy: readPolicy(`${directory}/policy.yml`, policy === undefined ? undefined : nodeOf(policy)),
  roles: readRoles(`${directory}/roles.yml`, roles === undefined ? undefined : nodeOf(roles)),
});

/** Compiles what is said, as if it stood in files. */
export const compile = (said: Said): CompiledPolicy => {
  const trust = said.trust ?? [];
  return compilePolicy({
    orgs:
      said.org === undefined && said.orgRoles === undefined
        ? []
        : [{ name: 'acme', ...layer('/c/org/acme', said.org, said.orgRoles) }],
    user: layer('/c/user', said.user, said.userRoles),
    global: readGlobalConfig('/c/config.yml', said.config === undefined ? undefined : nodeOf(said.config)),
    project: layer('.hookwise', said.project, said.projectRoles),
    isTrusted: (digest) => trust === 'all' || trust.includes(digest),
  });
};

export const statements = (policy: CompiledPolicy) => policy.untrusted.map(({ statement }) => statement);
export const reasons = (policy: CompiledPolicy) => policy.problems.map(({ reason }) => reason);
export const globs = (rules: readonly { readonly glob: string }[] | undefined) => (rules ?? []).map(({ glob }) => glob);

// [who says what, what holds, what needs trust, what holds once trusted (when different)]
export type Row = [said: Said, holds: unknown, needsTrust: string[], trusted?: unknown];
const of = (key: string, holds: unknown) => ({ [key]: holds });
export const settingRows: Row[] = [
  [{ org: { human_timeout_secs: 90 } }, of('humanTimeoutSecs', 90), []],
  [{ org: { human_timeout_secs: 90 }, user: { human_timeout_secs: 20 } }, of('humanTimeoutSecs', 20), []],
  [{ user: { human_timeout_secs: 300 }, config: { human_timeout_secs: 200 } }, of('humanTimeoutSecs', 200), []],
  [{ project: { human_timeout_secs: 20 } }, of('humanTimeoutSecs', 20), []],
  [
    { project: { human_timeout_secs: 300 } },
    of('humanTimeoutSecs', 60),
    ['human_timeout_secs is 300'],
    of('humanTimeoutSecs', 300),
  ],
  [{ user: { human_timeout_secs: 100 }, project: { human_timeout_secs: 300 } }, of('humanTimeoutSecs', 100), []],
  [
    { project: { registration_timeout_secs: 9 } },
    of('registrationTimeoutSecs', 5),
    ['registration_timeout_secs is 9'],
    of('registrationTimeoutSecs', 9),
  ],
  [
    { project: { confidence: { org: 0.99, project: 0.1 } } },
    of('confidence', { org: 0.99, project: 0.7, user: 0.6 }),
    ['confidence.project is 0.1'],
    of('confidence', { org: 0.99, project: 0.1, user: 0.6 }),
  ],
  [
    { org: { confidence: { user: 0.8 } }, user: { confidence: { user: 0.5 } } },
    of('confidence', { org: 0.9, project: 0.7, user: 0.8 }),
    [],
  ],
  [{ project: { similarity: { mode: 'off' } } }, { similarity: { mode: 'off' } }, []],
  [
    { project: { similarity: { mode: 'seed' } } },
    { similarity: { mode: 'guarded' } },
    ['similarity.mode is "seed"'],
    { similarity: { mode: 'seed' } },
  ],
  [
    { project: { similarity: { jaccard_threshold: 0.1, jaccard_min_tokens: 1, embedding_threshold: 0.1 } } },
    { similarity: { jaccardThreshold: 0.7, jaccardMinTokens: 3, embeddingThreshold: 0.85 } },
    [
      'similarity.jaccard_threshold is 0.1',
      'similarity.jaccard_min_tokens is 1',
      'similarity.embedding_threshold is 0.1',
    ],
    { similarity: { jaccardThreshold: 0.1 } },
  ],
  [
    { project: { learning: { human: 'local', llm: 'project', native: 'full' } } },
    { learning: { human: 'local', llm: 'local', native: 'exact' } },
    ['learning.llm is "project"', 'learning.native is "full"'],
    { learning: { human: 'local', llm: 'project', native: 'full' } },
  ],
  [{ project: { learning: { persist_tiers: ['human'] } } }, { learning: { persistTiers: ['human'] } }, []],
  [
    { project: { learning: { persist_tiers: ['human', 'token-jaccard'] } } },
    { learning: { persistTiers: ['human'] } },
    ['learning.persist_tiers is ["human","token-jaccard"]'],
    { learning: { persistTiers: ['human', 'token-jaccard'] } },
  ],
  [
    {
      org: { learning: { persist_tiers: ['human', 'override'] } },
      user: { learning: { persist_tiers: ['human', 'supervisor'] } },
    },
    { learning: { persistTiers: ['human'] } },
    [],
  ],
  [
    { project: { registration: { confirm: 'full_access_only' } } },
    of('registrationConfirm', 'always'),
    ['registration.confirm is "full_access_only"'],
    of('registrationConfirm', 'full_access_only'),
  ],
  [{ project: { reads: 'abstain' } }, of('reads', 'abstain'), []],
  [{ user: { reads: 'abstain' }, project: { reads: 'allow' } }, of('reads', 'abstain'), []],
  [
    { project: { ask_delivery: 'native' } },
    of('askDelivery', 'auto'),
    ['ask_delivery is "native"'],
    of('askDelivery', 'native'),
  ],
  [{ org: { ask_delivery: 'queue' }, user: { ask_delivery: 'native' } }, of('askDelivery', 'queue'), []],
  [{ project: { globs: 'globset' } }, of('globs', 'segment'), ['globs is "globset"'], of('globs', 'globset')],
  [
    { project: { path_policy: { order: 'seed' } } },
    of('pathPolicyOrder', 'strictest'),
    ['path_policy.order is "seed"'],
    of('pathPolicyOrder', 'seed'),
  ],
  [
    { org: { path_policy: { order: 'strictest' } }, project: { path_policy: { order: 'seed' } }, trust: 'all' },
    of('pathPolicyOrder', 'strictest'),
    [],
  ],
  [{ org: { gating: 'always' }, config: { gating: 'never' } }, of('gating', 'always'), []],
  [{ config: { gating: 'never' } }, of('gating', 'never'), []],
  [{ config: { env_role: { allow: ['maintainer'] } } }, of('envRoleAllow', ['maintainer']), []],
  [{ org: { env_role: { allow: [] } }, config: { env_role: { allow: ['maintainer'] } } }, of('envRoleAllow', []), []],
  [
    { config: { supervisor: { backend: 'api' } } },
    of('supervisor', {
      backend: 'api',
      apiBaseUrl: 'https://api.anthropic.com',
      model: 'claude-sonnet-4-5-20250929',
      maxTokens: 1024,
    }),
    [],
  ],
  [{ config: { embedding_model: 'm' } }, of('embeddingModel', 'm'), []],
  [{ config: { default_role: 'tester' } }, of('defaultRole', 'tester'), []],
  [
    { project: { tools: { mcp__a__b: 'modify', Bash: 'execute' } } },
    of('tools', { Bash: 'execute' }),
    ['tools.mcp__a__b is "modify"'],
    of('tools', { mcp__a__b: 'modify', Bash: 'execute' }),
  ],
  [
    {
      user: { tools: { 'mcp__a__*': 'modify' } },
      project: { tools: { mcp__a__b: 'inspect', mcp__a__c: 'execute' } },
    },
    of('tools', { 'mcp__a__*': 'modify', mcp__a__c: 'execute' }),
    [],
  ],
  [{ org: { tools: { x: 'modify' } }, user: { tools: { x: 'inspect' } } }, of('tools', { x: 'modify' }), []],
  [
    { project: { agents: { Explore: 'docs' } } },
    of('agents', {}),
    ['agents.Explore is "docs"'],
    of('agents', { Explore: 'docs' }),
  ],
  [
    { user: { agents: { Explore: 'docs' } }, project: { agents: { Explore: 'coder' } }, trust: 'all' },
    of('agents', { Explore: 'docs' }),
    [],
  ],
];
export const notForRepositories: [project: unknown, key: string][] = [
  [{ supervisor: { backend: 'socket', socket_path: '/tmp/evil.sock' } }, 'supervisor'],
  [{ supervisor: { backend: 'api', api_base_url: 'https://evil.example' } }, 'supervisor'],
  [{ embedding_model: 'x' }, 'embedding_model'],
  [{ gating: 'never' }, 'gating'],
  [{ default_role: 'docs' }, 'default_role'],
  [{ env_role: { allow: ['maintainer'] } }, 'env_role.allow'],
  [{ api_key: 'x' }, 'api_key'],
  [{ orgs: {} }, 'orgs'],
  [{ default_org: 'x' }, 'default_org'],
  [{ runtime_dir: '/tmp' }, 'runtime_dir'],
  [{ sync: {} }, 'sync'],
];
