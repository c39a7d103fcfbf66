import { type Matchers, prepareMatchers } from '../core/engine/matchers.ts';
import { errors } from '../core/model/errors.ts';
import type { CompiledPolicy } from '../core/model/policy.ts';
import type { DecisionRecord, SourceRef } from '../core/model/record.ts';
import type { Verdict } from '../core/model/verdict.ts';
import type { RecordPlace } from '../core/ports.ts';
import { sanitizeText } from '../core/sanitize/sanitize.ts';
import type { ShellLanguage } from '../core/similarity/language.ts';
import type { GatePorts } from '../gate/gate.ts';
import { type LoadOptions, loadPolicy } from '../io/config/load.ts';
import { type MemoryObserver, machineObserver } from '../io/memory/observer.ts';
import { ignoresCase } from '../io/observe/file-system-case.ts';
import { type Places, resolvePlaces } from '../io/places.ts';
import { type RepositoryEnvironment, repositoryEnvironment } from '../io/project/host-settings.ts';
import { readOrigin } from '../io/project/origin.ts';
import { findRoot, type Root } from '../io/project/root.ts';
import type { OpenLocalMemory, OpenSimilarMemory } from '../io/similar/similar-memory.ts';
import { type AuditLog, auditLog } from '../io/stores/audit.ts';
import { rebuildIndex } from '../io/stores/entry-index.ts';
import { type GrantStore, grantStore } from '../io/stores/grants.ts';
import { indexPaths, openCurrent } from '../io/stores/index-pair.ts';
import { indexContent } from '../io/stores/index-rows.ts';
import { type NativeAsks, nativeAsks } from '../io/stores/native-asks.ts';
import { type QueueStore, queueStore } from '../io/stores/queue.ts';
import { removeRecords, type SaveOptions, saveDecision } from '../io/stores/rules-change.ts';
import {
  orgRules,
  projectRules,
  type RulesLocation,
  repositoryUserRules,
  userRules,
} from '../io/stores/rules-location.ts';
import { type SessionStore, sessionStore } from '../io/stores/sessions.ts';
import { type TrustStore, trustStore } from '../io/stores/trust.ts';
import { keyedDigest, loadUserKey, sealWith } from '../io/stores/user-key.ts';

export { countingLines, untrustedLines } from '../io/stores/index-rows.ts';
export { parseLine, type RecordLine, readRules, splitLines } from '../io/stores/rules-file.ts';
export type { RulesFile, RulesLocation } from '../io/stores/rules-location.ts';
export { lineDigest } from '../io/stores/trust.ts';

/** What a process brings along: nothing below reads the environment by itself. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home directory of the passwd entry. */
  readonly passwdHome: string;
  readonly user: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The directory of the built program: protected like hookwise's own state. */
  readonly installed: string;
  /** Compiles policy sources; loaded on demand, since it brings the YAML parser along. */
  readonly loadCompiler: LoadOptions['loadCompiler'];
  /** Shell understanding; loaded on demand, since it is most of the program. */
  readonly shell: () => ShellLanguage;
  /** Similar calls in memory; loaded on demand, when nothing else settles a call. */
  readonly loadSimilar: () => OpenLocalMemory;
  /** Names the build: compiled policy and indexes of another one are not used. */
  readonly build: string;
}

/** Where a project is and which user-level places it may use; known before anything of it is read. */
export interface Ground {
  readonly root: Root;
  readonly places: Places;
  readonly repositoryEnv: RepositoryEnvironment;
}

/** One project of one user, with everything that decides about it. */
export interface Project extends Ground {
  /** The login name. */
  readonly user: string;
  readonly key: Uint8Array;
  readonly trust: TrustStore;
  readonly policy: CompiledPolicy;
  readonly foldCase: boolean;
  readonly matchers: Matchers;
  readonly observer: MemoryObserver;
  readonly locations: readonly RulesLocation[];
  readonly sessions: (team: string) => SessionStore;
  readonly queue: QueueStore;
  readonly grants: GrantStore;
  readonly natives: NativeAsks;
  readonly audit: AuditLog;
  readonly digest: (text: string) => string;
  /** Paths that are hookwise itself. */
  readonly ownPaths: readonly string[];
  readonly gatePorts: GatePorts;
}

/** Finds the root and the user-level places. `start` is the session's project directory; `root` fixes the root. */
export const openGround = (surroundings: Surroundings, start: string, root?: string): Ground => {
  const found = root === undefined ? findRoot(start) : { ...findRoot(root), root, realRoot: findRoot(root).realRoot };
  const repositoryEnv = repositoryEnvironment(found.root);
  const { env, passwdHome } = surroundings;
  const places = resolvePlaces({
    env,
    passwdHome,
    repositoryEnv: repositoryEnv.names,
    // Everything lies below the top of the file system; that is no repository anybody could plant something in.
    ...(found.root === '/' ? {} : { root: found.root }),
  });
  return { root: found, places, repositoryEnv };
};

/** Opens a project: the one place that picks implementations. Throws HookwiseError `Storage` when state cannot be used. */
export const openProject = (surroundings: Surroundings, ground: Ground): Project => {
  const { root, places } = ground;
  const { state, config, homes } = places;
  const key = loadUserKey(state);
  const trust = trustStore({ state, key, identity: root.stateKey });
  const origin = root.isRepository ? readOrigin(root.stateKey) : undefined;
  const { policy } = loadPolicy({
    root: root.root,
    configDir: config,
    stateDir: state,
    remotes: origin === undefined ? [] : [`${origin.host}/${origin.org}`],
    isTrusted: trust.isTrusted,
    trustSignature: trust.trustSignature(),
    key,
    build: surroundings.build,
    loadCompiler: surroundings.loadCompiler,
  });
  const foldCase = ignoresCase(root.root);
  const matchers = prepareMatchers(policy, { homes, foldCase });
  const digest = (text: string): string => keyedDigest(key, text);
  const locations = locationsOf(ground, policy.orgs);
  const { now } = surroundings;
  const { observer, similar } = openMemory(surroundings, ground, { locations, key, trust, digest });
  const queue = queueStore({ state });
  const grants = grantStore({ state, key });
  return {
    ...ground,
    user: surroundings.user,
    key,
    trust,
    policy,
    foldCase,
    matchers,
    observer,
    locations,
    sessions: (team) => sessionStore({ state, team, sanitize: sanitizeText }),
    queue,
    grants,
    natives: nativeAsks({ state, key }),
    audit: auditLog({ state, key }),
    digest,
    ownPaths: [...new Set([config, state, places.runtime, surroundings.installed])],
    gatePorts: gatePorts({
      observer,
      matchers,
      queue,
      grants,
      digest,
      now,
      shell: surroundings.shell,
      similar,
    }),
  };
};

/** Exact and similar memory, closed together. */
const openMemory = (
  { now, build, user, shell, loadSimilar }: Surroundings,
  { root, places }: Ground,
  parts: Pick<Project, 'locations' | 'key' | 'trust' | 'digest'>,
): { readonly observer: MemoryObserver; readonly similar: () => OpenSimilarMemory } => {
  const { state, homes } = places;
  const looking = machineObserver({ ...parts, state, now });
  const place = { root: root.root, home: homes[0] ?? '/', user };
  let opened: OpenSimilarMemory | undefined;
  const close = (): void => {
    looking.close();
    opened?.close();
    opened = undefined;
  };
  const similar = (): OpenSimilarMemory => {
    opened ??= loadSimilar()({ ...parts, state, now, build, shell, place });
    return opened;
  };
  return { observer: { ...looking, close }, similar };
};

const locationsOf = ({ root, places }: Ground, orgs: readonly string[]): readonly RulesLocation[] => [
  ...orgs.map((org) => orgRules(places.config, org)),
  projectRules(root.root),
  repositoryUserRules(root.root),
  userRules(places.config),
];

interface Parts {
  readonly observer: MemoryObserver;
  readonly matchers: Matchers;
  readonly queue: QueueStore;
  readonly grants: GrantStore;
  readonly digest: (text: string) => string;
  readonly now: () => number;
  readonly shell: () => ShellLanguage;
  readonly similar: GatePorts['similar'];
}

const gatePorts = ({ observer, matchers, queue, grants, digest, now, shell, similar }: Parts): GatePorts => ({
  shell,
  similar,
  observer,
  matchers,
  digest,
  now,
  grants: {
    take: (callDigest, sessionId) => {
      const taken = grants.take({ callDigest, sessionId, now: now() });
      return taken.kind === 'granted' ? { actor: taken.grant.actor } : undefined;
    },
  },
  queue: {
    enqueue: (item) => queue.enqueue(item, now()).id,
    waitForResponse: queue.waitForResponse,
    remove: (id) => void queue.withdraw(id),
  },
});

/** Writes a person's decision where it belongs; its line is trusted in the same step. */
export const saveRecord = (
  project: Project,
  record: DecisionRecord,
  { where, by }: { readonly where: RecordPlace; readonly by: SaveOptions['by'] },
): void => {
  const location = locationFor(project, where);
  saveDecision(location, record, {
    state: project.places.state,
    trust: project.trust,
    ...(by === undefined ? {} : { by }),
  });
};

/** Deletes records of one of a project's locations; says how many. Lines that go lose their trust. */
export const forgetRecords = (
  { places, trust }: Project,
  location: RulesLocation,
  isMeant: (record: DecisionRecord) => boolean,
): number => removeRecords(location, isMeant, { state: places.state, trust });

/** Where a decision of one place is written. Throws when the place does not exist for this project. */
export const locationFor = ({ root, places, policy }: Project, where: RecordPlace): RulesLocation => {
  switch (where.scope) {
    case 'project':
      return projectRules(root.root);
    case 'user':
      return where.here ? repositoryUserRules(root.root) : userRules(places.config);
    case 'org': {
      const [org] = policy.orgs;
      if (org === undefined)
        throw errors.invalidPolicy(
          'no organisation is configured for this project: set default_org or orgs in config.yml',
        );
      return orgRules(places.config, org);
    }
  }
};

/** What one place of memory holds. */
export interface RememberedHere {
  /** Entries in force, overrides included. */
  readonly entries: readonly { readonly verdict: Verdict; readonly role: string; readonly expiresMs: number }[];
  /** Allows of the repository that do not count for want of trust. */
  readonly untrusted: number;
  readonly problems: readonly (SourceRef & { readonly reason: string })[];
}

/** Reads one of a project's locations. Throws HookwiseError `Storage` when its files cannot be used. */
export const remembered = ({ key, trust }: Project, location: RulesLocation): RememberedHere => {
  const { rows, overrides, problems, untrusted } = indexContent({ location, key, trust });
  // A line without a context is indexed once per context.
  const lines = new Map([...rows, ...overrides].map((row) => [`${row.file}:${row.line}`, row]));
  return { entries: [...lines.values()], untrusted, problems };
};

/** The files of a location's exact index, and whether it says what the rules files say now. Changes nothing. */
export const exactIndexOf = (
  { key, trust, places: { state } }: Project,
  location: RulesLocation,
): { readonly files: readonly string[]; readonly isFresh: boolean } => {
  const { base, addition } = indexPaths({ location, state });
  const current = openCurrent({ location, trust, state, seal: sealWith(key) });
  current?.pair.close();
  return { files: [base, addition], isFresh: current !== undefined };
};

/** Makes a location's exact index anew, whatever is there; says why it could not be written, if so. */
export const rebuildExactIndex = (
  { key, trust, places: { state } }: Project,
  location: RulesLocation,
  now: number,
): string | undefined => {
  const index = rebuildIndex({ location, key, trust, state, now });
  index.close();
  return index.notWritten;
};
