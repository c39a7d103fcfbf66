import type { Settings, SupervisorSettings } from '../model/policy.ts';
import type { Result } from '../model/result.ts';
import { fail, ok } from '../model/result.ts';
import { tierNames } from '../model/verdict.ts';
import { defaultApiSupervisor, defaultSettings } from './defaults.ts';
import {
  type DataNode,
  listOf,
  numberBetween,
  oneOf,
  type ReadValue,
  roleName,
  type Stated,
  textUpTo,
} from './document.ts';

/** Every setting by its key in the file. */
export interface SettingValues {
  gating: Settings['gating'];
  human_timeout_secs: number;
  registration_timeout_secs: number;
  ask_delivery: Settings['askDelivery'];
  reads: Settings['reads'];
  'confidence.org': number;
  'confidence.project': number;
  'confidence.user': number;
  'similarity.mode': Settings['similarity']['mode'];
  'similarity.jaccard_threshold': number;
  'similarity.jaccard_min_tokens': number;
  'similarity.embedding_threshold': number;
  'learning.human': Settings['learning']['human'];
  'learning.llm': Settings['learning']['llm'];
  'learning.native': Settings['learning']['native'];
  'learning.persist_tiers': readonly string[];
  'registration.confirm': Settings['registrationConfirm'];
  default_role: string | undefined;
  'env_role.allow': readonly string[];
  'path_policy.order': Settings['pathPolicyOrder'];
  globs: Settings['globs'];
  'builtin.inspect': 'allow' | 'off';
  'builtin.clean': 'allow' | 'off';
  'builtin.branch': 'allow' | 'off';
  supervisor: SupervisorSettings;
  embedding_model: string | undefined;
}

export type SettingKey = keyof SettingValues;

/** What one file says about settings. */
export type SettingStatements = { [K in SettingKey]?: Stated<SettingValues[K]> };

interface Setting<T> {
  readonly read: ReadValue<T>;
  readonly initial: T;
  /** Who may say it. `owners`: user and organisation configuration only, never a repository. */
  readonly sayers: 'anyone' | 'owners';
  /** What holds when two files differ: the first is of the broader scope. */
  readonly strictest: (broader: T, narrower: T) => T;
}

type Options<T> = Pick<Setting<T>, 'initial'> & Partial<Pick<Setting<T>, 'sayers'>>;

const higher = (read: ReadValue<number>, initial: number): Setting<number> => ({
  read,
  initial,
  sayers: 'anyone',
  strictest: (a, b) => Math.max(a, b),
});

const lower = (read: ReadValue<number>, initial: number): Setting<number> => ({
  ...higher(read, initial),
  strictest: (a, b) => Math.min(a, b),
});

/** A switch whose words go from strict to lax. */
const ranked = <const T extends string>(
  words: readonly T[],
  { initial, sayers = 'anyone' }: Options<T>,
): Setting<T> => ({
  read: oneOf(words),
  initial,
  sayers,
  strictest: (a, b) => (words.indexOf(a) <= words.indexOf(b) ? a : b),
});

/** A value that is neither stricter nor laxer than another: the broader scope decides. */
const unranked = <T>(read: ReadValue<T>, { initial, sayers = 'anyone' }: Options<T>): Setting<T> => ({
  read,
  initial,
  sayers,
  strictest: (broader) => broader,
});

/** A list in which every item permits something. */
const fewest = (
  item: ReadValue<string>,
  { initial, sayers = 'anyone' }: Options<readonly string[]>,
): Setting<readonly string[]> => ({
  read: listOf(item),
  initial,
  sayers,
  strictest: (a, b) => a.filter((text) => b.includes(text)),
});

const isSafeUrl = (text: string): boolean =>
  /^(?:https:\/\/[^\s@/]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)(?:\/[^\s]*)?$/.test(text);

const supervisorFields = {
  backend: oneOf(['socket', 'api']),
  socket_path: textUpTo(100, { matching: /^\//, what: 'an absolute path' }),
  api_base_url: textUpTo(300, { what: 'a URL' }),
  model: textUpTo(100),
  max_tokens: numberBetween(1, 100_000, { whole: true }),
};

const isSupervisorField = (key: string): key is keyof typeof supervisorFields => Object.hasOwn(supervisorFields, key);

const readSupervisor: ReadValue<SupervisorSettings> = (node: DataNode): Result<SupervisorSettings, string> => {
  if (node.kind !== 'map') return fail('expected a map with `backend`');
  const found: Record<string, string | number> = {};
  for (const { key, value } of node.entries) {
    if (!isSupervisorField(key)) return fail(`unknown key ${key}; known: ${Object.keys(supervisorFields).join(', ')}`);
    const field = supervisorFields[key](value);
    if (!field.ok) return fail(`${key}: ${field.error}`);
    found[key] = field.value;
  }
  const { backend = 'socket', socket_path, api_base_url, model, max_tokens } = found;
  if (backend === 'socket')
    return ok(typeof socket_path === 'string' ? { backend, socketPath: socket_path } : { backend });
  if (typeof api_base_url === 'string' && !isSafeUrl(api_base_url))
    return fail('api_base_url: only https, or http on this machine, and no user name in it');
  return ok({
    backend: 'api',
    apiBaseUrl: typeof api_base_url === 'string' ? api_base_url : defaultApiSupervisor.apiBaseUrl,
    model: typeof model === 'string' ? model : defaultApiSupervisor.model,
    maxTokens: typeof max_tokens === 'number' ? max_tokens : defaultApiSupervisor.maxTokens,
  });
};

const { confidence, similarity, learning } = defaultSettings;
const share = numberBetween(0, 1);
const model = textUpTo(200, { matching: /^[\w./:-]+$/, what: 'the name of a model' });

/** All settings: how each is read, what it is without configuration, who may say it, and which value is stricter. */
export const settings: { readonly [K in SettingKey]: Setting<SettingValues[K]> } = {
  gating: ranked(['always', 'auto', 'never'], { initial: defaultSettings.gating, sayers: 'owners' }),
  human_timeout_secs: lower(numberBetween(1, 3600, { whole: true }), defaultSettings.humanTimeoutSecs),
  registration_timeout_secs: lower(numberBetween(0, 600, { whole: true }), defaultSettings.registrationTimeoutSecs),
  ask_delivery: unranked(oneOf(['auto', 'native', 'queue', 'both']), { initial: defaultSettings.askDelivery }),
  reads: ranked(['abstain', 'allow'], { initial: defaultSettings.reads }),
  'confidence.org': higher(share, confidence.org),
  'confidence.project': higher(share, confidence.project),
  'confidence.user': higher(share, confidence.user),
  'similarity.mode': ranked(['off', 'guarded', 'seed'], { initial: similarity.mode }),
  'similarity.jaccard_threshold': higher(share, similarity.jaccardThreshold),
  'similarity.jaccard_min_tokens': higher(numberBetween(1, 1000, { whole: true }), similarity.jaccardMinTokens),
  'similarity.embedding_threshold': higher(share, similarity.embeddingThreshold),
  'learning.human': ranked(['local', 'project'], { initial: learning.human }),
  'learning.llm': ranked(['local', 'project'], { initial: learning.llm }),
  'learning.native': ranked(['off', 'exact', 'full'], { initial: learning.native }),
  'learning.persist_tiers': fewest(oneOf(Object.values(tierNames)), { initial: learning.persistTiers }),
  'registration.confirm': ranked(['always', 'full_access_only'], { initial: defaultSettings.registrationConfirm }),
  default_role: unranked<string | undefined>(roleName, { initial: undefined, sayers: 'owners' }),
  'env_role.allow': fewest(roleName, { initial: defaultSettings.envRoleAllow, sayers: 'owners' }),
  'path_policy.order': ranked(['strictest', 'seed'], { initial: defaultSettings.pathPolicyOrder }),
  globs: unranked(oneOf(['segment', 'globset']), { initial: defaultSettings.globs }),
  'builtin.inspect': ranked(['off', 'allow'], { initial: 'allow' }),
  'builtin.clean': ranked(['off', 'allow'], { initial: 'allow' }),
  'builtin.branch': ranked(['off', 'allow'], { initial: 'allow' }),
  supervisor: unranked(readSupervisor, { initial: defaultSettings.supervisor, sayers: 'owners' }),
  embedding_model: unranked<string | undefined>(model, { initial: undefined, sayers: 'owners' }),
};

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settings, key);

export const settingKeys: readonly SettingKey[] = Object.keys(settings).filter(isSettingKey);

/** The settings as the rest of the program reads them. */
export const toSettings = (
  pick: <K extends SettingKey>(key: K) => SettingValues[K],
  maps: Pick<Settings, 'agents' | 'tools'>,
): Settings => {
  const defaultRole = pick('default_role');
  const embeddingModel = pick('embedding_model');
  return {
    gating: pick('gating'),
    humanTimeoutSecs: pick('human_timeout_secs'),
    registrationTimeoutSecs: pick('registration_timeout_secs'),
    askDelivery: pick('ask_delivery'),
    reads: pick('reads'),
    builtin: {
      inspect: pick('builtin.inspect'),
      clean: pick('builtin.clean'),
      branch: pick('builtin.branch'),
    },
    confidence: {
      org: pick('confidence.org'),
      project: pick('confidence.project'),
      user: pick('confidence.user'),
    },
    similarity: {
      mode: pick('similarity.mode'),
      jaccardThreshold: pick('similarity.jaccard_threshold'),
      jaccardMinTokens: pick('similarity.jaccard_min_tokens'),
      embeddingThreshold: pick('similarity.embedding_threshold'),
    },
    learning: {
      human: pick('learning.human'),
      llm: pick('learning.llm'),
      native: pick('learning.native'),
      persistTiers: pick('learning.persist_tiers'),
    },
    registrationConfirm: pick('registration.confirm'),
    ...(defaultRole === undefined ? {} : { defaultRole }),
    envRoleAllow: pick('env_role.allow'),
    agents: maps.agents,
    pathPolicyOrder: pick('path_policy.order'),
    globs: pick('globs'),
    tools: maps.tools,
    supervisor: pick('supervisor'),
    ...(embeddingModel === undefined ? {} : { embeddingModel }),
  };
};
