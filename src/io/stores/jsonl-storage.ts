import { dirname } from 'node:path';
import { isInForce } from '../../core/engine/record-match.ts';
import { errors } from '../../core/model/errors.ts';
import type { DecisionRecord } from '../../core/model/record.ts';
import type { ScopeLevel, Verdict } from '../../core/model/verdict.ts';
import { sanitizeText } from '../../core/sanitize/sanitize.ts';
import { type SecretFinding, scanForSecrets } from '../scan/secret-scan.ts';
import { rebuildIndex } from './entry-index.ts';
import { countingRecords } from './index-rows.ts';
import { removeRecords, saveDecision } from './rules-change.ts';
import { orgRules, projectRules, type RulesLocation, repositoryUserRules, userRules } from './rules-location.ts';
import type { TrustMark, TrustStore } from './trust.ts';

/** Remembered decisions of one project, in every scope. Failures are HookwiseError `Storage`. */
export interface StorageBackend {
  /** The records of a scope that are in force now: not expired, and of the repository's allows only the trusted ones. */
  readonly loadDecisions: (scope: ScopeLevel) => readonly DecisionRecord[];
  /** Those of them that are for the role or for every role. */
  readonly loadDecisionsForRole: (scope: ScopeLevel, role: string) => readonly DecisionRecord[];
  /**
   * Writes a record into the file of its scope and verdict, in place of an older one about the same call, unless an
   * entry there says all of it already. `by` is the person who stands behind it: without one, an allow in a repository
   * waits for `trust`.
   */
  readonly saveDecision: (record: DecisionRecord, by?: TrustMark) => void;
  /** Deletes what was decided for exactly this role; says how many. */
  readonly invalidateRole: (scope: ScopeLevel, role: string) => number;
  /** Deletes everything of a scope; says how many. */
  readonly invalidateAll: (scope: ScopeLevel) => number;
  /** Makes the look-up index of a scope anew. Throws `IndexBuild` when it cannot be written. */
  readonly rebuildIndex: (scope: ScopeLevel) => void;
  /** Secrets in a file, or in all files below a directory. */
  readonly scanForSecrets: (path: string) => readonly SecretFinding[];
  /** The directory that holds a scope's own file or files; nothing for `role`, or without an organisation. */
  readonly scopeDirectory: (scope: ScopeLevel) => string | undefined;
  /** The file in which a scope keeps a verdict. */
  readonly jsonlPath: (scope: ScopeLevel, verdict: Verdict) => string | undefined;
}

/** Where the records are, and whose they are. */
export interface JsonlPlace {
  readonly root: string;
  readonly config: string;
  readonly state: string;
  readonly key: Uint8Array;
  readonly trust: TrustStore;
  /** Organisations of the project, the default one first. */
  readonly orgs: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Storage in the JSONL files that people review. */
export const jsonlBackend = (place: JsonlPlace): StorageBackend => {
  const { trust, state } = place;
  const locations = (scope: ScopeLevel): readonly RulesLocation[] => locationsOf(scope, place);
  const loadDecisions = (scope: ScopeLevel): readonly DecisionRecord[] => {
    const now = place.now();
    return locations(scope)
      .flatMap((location) => countingRecords(location, trust.snapshot()))
      .filter((record) => isInForce(record, now));
  };
  const remove = (scope: ScopeLevel, isMeant: (record: DecisionRecord) => boolean): number =>
    locations(scope).reduce((sum, location) => sum + removeRecords(location, isMeant, { state, trust }), 0);
  return {
    loadDecisions,
    loadDecisionsForRole: (scope, role) =>
      loadDecisions(scope).filter(({ key }) => key.role === role || key.role === '*'),
    saveDecision: (record, by) => save(record, { place, ...(by === undefined ? {} : { by }) }),
    invalidateRole: (scope, role) => remove(scope, ({ key }) => key.role === role),
    invalidateAll: (scope) => remove(scope, () => true),
    rebuildIndex: (scope) => {
      for (const location of locations(scope)) rebuild(location, place);
    },
    scanForSecrets,
    scopeDirectory: (scope) => directoryOf(locations(scope).at(-1)),
    jsonlPath: (scope, verdict) =>
      locations(scope)
        .at(-1)
        ?.files.find((file) => file.verdict === undefined || file.verdict === verdict)?.path,
  };
};

/** The last one is the scope's own: where its records are written. */
const locationsOf = (scope: ScopeLevel, { root, config, orgs }: JsonlPlace): readonly RulesLocation[] => {
  switch (scope) {
    case 'org':
      return orgs.toReversed().map((org) => orgRules(config, org));
    case 'project':
      return [projectRules(root)];
    case 'user':
      return [repositoryUserRules(root), userRules(config)];
    case 'role':
      return [];
  }
};

const directoryOf = (location: RulesLocation | undefined): string | undefined =>
  location?.files[0] === undefined ? undefined : dirname(location.files[0].path);

const save = (record: DecisionRecord, { place, by }: { readonly place: JsonlPlace; readonly by?: TrustMark }): void => {
  const location = locationsOf(record.scope, place).at(-1);
  if (location === undefined) throw errors.storage(whyNowhere(record.scope));
  const { sanitized_input: input } = record.key;
  if (sanitizeText(input) !== input) throw errors.storage('this decision cannot be stored: its call holds a secret');
  const reason = sanitizeText(record.metadata.reason);
  const timestamp = record.timestamp === '' ? new Date(place.now()).toISOString() : record.timestamp;
  const clean = { ...record, timestamp, metadata: { ...record.metadata, reason } };
  saveDecision(location, clean, { state: place.state, trust: place.trust, ...(by === undefined ? {} : { by }) });
};

const whyNowhere = (scope: ScopeLevel): string =>
  scope === 'role'
    ? 'nothing is stored at role scope: a role is its definition and its registrations; use org, project or user'
    : `no organisation is configured for this project: set default_org or orgs in config.yml`;

const rebuild = (location: RulesLocation, { state, key, trust, now }: JsonlPlace): void => {
  const index = rebuildIndex({ location, state, key, trust, now: now() });
  index.close();
  if (index.notWritten !== undefined) throw errors.indexBuild(index.notWritten);
};
