import { join } from 'node:path';
import { errors } from '../../core/model/errors.ts';
import { fieldReader } from '../../core/model/field-reader.ts';
import { isSessionId, type RegistrationEntry } from '../../core/model/session.ts';
import { isJsonObject, isPrototypeName } from '../../core/model/strict-json.ts';
import { removeIfThere, writeAtomic } from '../files/atomic-write.ts';
import { type CollectionFile, mapFile, sessionDirectory, setFile } from './session-files.ts';
import { plainDigest } from './user-key.ts';

const longestTask = 4096;

/** What is known about one session. */
export type SessionState =
  | { readonly kind: 'registered'; readonly entry: RegistrationEntry }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'unregistered' };

export interface Registration {
  readonly sessionId: string;
  readonly role: string;
  readonly task?: string;
  /** The agent's instructions: stored sanitised, for the supervisor to read. */
  readonly prompt?: string;
  readonly registeredBy?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface RoleSwitch {
  readonly role: string;
  readonly at: string;
  readonly by?: string;
}

/** Every id must be a session id; other texts are refused before they reach a file. */
export interface SessionStore {
  readonly lookup: (sessionId: string) => SessionState;
  /** Gives a session its role, in place of an earlier one, and ends its exclusion. */
  readonly register: (registration: Registration) => RegistrationEntry;
  /** Forgets a session; says whether it was registered. */
  readonly unregister: (sessionId: string) => boolean;
  /** Takes a session out of gating; says whether it was in. */
  readonly disable: (sessionId: string) => boolean;
  /** Takes a session back into gating; says whether it was out. */
  readonly enable: (sessionId: string) => boolean;
  /** Changes only the role of a registered session. */
  readonly switchRole: (sessionId: string, change: RoleSwitch) => RegistrationEntry;
  readonly list: () => {
    readonly registered: ReadonlyMap<string, RegistrationEntry>;
    readonly disabled: ReadonlySet<string>;
    /** Ids whose entry cannot be read. */
    readonly broken: readonly string[];
  };
}

export interface SessionStoreOptions {
  readonly state: string;
  /** The team's id; without one the session works alone. */
  readonly team?: string;
  /** Takes secrets out of what is stored. */
  readonly sanitize: (text: string) => string;
}

interface Files {
  readonly registrations: CollectionFile<Map<string, unknown>>;
  readonly exclusions: CollectionFile<Set<string>>;
  readonly promptPath: (sessionId: string) => string;
}

/** Registrations and exclusions of one team, or of everybody who works alone. */
export const sessionStore = (options: SessionStoreOptions): SessionStore => {
  const { state, team } = options;
  if (team !== undefined && !isSessionId(team)) {
    throw errors.storage('a team id may hold only letters, digits, "_" and "-"');
  }
  const base = `hookwise-${team ?? 'solo'}`;
  const files: Files = {
    registrations: mapFile({ state, name: `${base}-sessions.json` }),
    exclusions: setFile({ state, name: `${base}-exclusions.json` }),
    promptPath: (sessionId) => join(sessionDirectory(state), `.hookwise-prompt-${sessionId}`),
  };
  return {
    lookup: (sessionId) => lookup(files, checkedId(sessionId)),
    register: (registration) => register(files, registration, options.sanitize),
    unregister: (sessionId) => unregister(files, checkedId(sessionId)),
    disable: (sessionId) => {
      const id = checkedId(sessionId);
      return files.exclusions.change((all) => !all.has(id) && all.add(id).has(id));
    },
    enable: (sessionId) => {
      const id = checkedId(sessionId);
      return files.exclusions.change((all) => all.delete(id));
    },
    switchRole: (sessionId, change) => switchRole(files, checkedId(sessionId), change),
    list: () => list(files),
  };
};

const checkedId = (sessionId: string): string => {
  if (isSessionId(sessionId) && !isPrototypeName(sessionId)) return sessionId;
  throw errors.storage('a session id may hold only letters, digits, "_" and "-", at most 128 of them');
};

const checkedRole = (role: string): string => {
  if (role === '' || role === '*' || role.length > 128 || isPrototypeName(role))
    throw errors.roleNotFound(role.slice(0, 128));
  return role;
};

const lookup = ({ registrations, exclusions }: Files, sessionId: string): SessionState => {
  if (exclusions.read().has(sessionId)) return { kind: 'disabled' };
  const raw = registrations.read().get(sessionId);
  if (raw === undefined) return { kind: 'unregistered' };
  return { kind: 'registered', entry: entryOf(registrations, { raw, sessionId }) };
};

const register = (
  files: Files,
  registration: Registration,
  sanitize: SessionStoreOptions['sanitize'],
): RegistrationEntry => {
  const sessionId = checkedId(registration.sessionId);
  const prompt = registration.prompt === undefined ? undefined : sanitize(registration.prompt);
  const path = files.promptPath(sessionId);
  const entry: RegistrationEntry = {
    role: checkedRole(registration.role),
    ...(registration.task === undefined ? {} : { task: sanitize(registration.task).slice(0, longestTask) }),
    ...(prompt === undefined ? {} : { prompt_hash: `sha256:${plainDigest(prompt)}`, prompt_path: path }),
    registered_at: registration.at,
    ...(registration.registeredBy === undefined ? {} : { registered_by: registration.registeredBy }),
  };
  files.registrations.change((all) => {
    if (prompt === undefined) removeIfThere(path);
    else writeAtomic(path, prompt, { durable: true });
    all.set(sessionId, entry);
    return true;
  });
  if (files.exclusions.read().has(sessionId)) files.exclusions.change((all) => all.delete(sessionId));
  return entry;
};

const unregister = ({ registrations, promptPath }: Files, sessionId: string): boolean =>
  registrations.change((all) => {
    removeIfThere(promptPath(sessionId));
    return all.delete(sessionId);
  });

const switchRole = ({ registrations }: Files, sessionId: string, change: RoleSwitch): RegistrationEntry => {
  const role = checkedRole(change.role);
  let switched: RegistrationEntry | undefined;
  registrations.change((all) => {
    const raw = all.get(sessionId);
    if (raw === undefined) return false;
    const by = change.by === undefined ? {} : { registered_by: change.by };
    switched = { ...entryOf(registrations, { raw, sessionId }), role, registered_at: change.at, ...by };
    all.set(sessionId, switched);
    return true;
  });
  if (switched === undefined) throw errors.sessionNotRegistered(sessionId);
  return switched;
};

const list: (files: Files) => ReturnType<SessionStore['list']> = ({ registrations, exclusions }) => {
  const registered = new Map<string, RegistrationEntry>();
  const broken: string[] = [];
  for (const [sessionId, raw] of registrations.read()) {
    const entry = entryFrom(raw);
    if (entry === undefined || !isSessionId(sessionId)) broken.push(sessionId);
    else registered.set(sessionId, entry);
  }
  return { registered, disabled: exclusions.read(), broken };
};

const entryOf = (
  file: CollectionFile<Map<string, unknown>>,
  of: { readonly raw: unknown; readonly sessionId: string },
): RegistrationEntry => {
  const entry = entryFrom(of.raw);
  if (entry !== undefined) return entry;
  throw errors.storage(
    `${file.path} has a broken entry for session ${of.sessionId}; remove it and register the session again`,
  );
};

const entryFrom = (raw: unknown): RegistrationEntry | undefined => {
  if (!isJsonObject(raw)) return undefined;
  const reader = fieldReader(raw);
  const [task, promptHash, promptPath, by] = [
    reader.optionalText('task', longestTask),
    reader.optionalText('prompt_hash', 256),
    reader.optionalText('prompt_path', 4096),
    reader.optionalText('registered_by', 256),
  ];
  const entry: RegistrationEntry = {
    role: reader.name('role'),
    registered_at: reader.text('registered_at', 64),
    ...(task === undefined ? {} : { task }),
    ...(promptHash === undefined ? {} : { prompt_hash: promptHash }),
    ...(promptPath === undefined ? {} : { prompt_path: promptPath }),
    ...(by === undefined ? {} : { registered_by: by }),
  };
  return reader.wrong() === undefined && entry.role !== '*' ? entry : undefined;
};
