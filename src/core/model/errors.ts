/** Every expected failure, by kind. The message of each is fixed: people search for it. */
export type HookwiseErrorKind =
  | 'SessionNotRegistered'
  | 'SessionDisabled'
  | 'RoleNotFound'
  | 'PolicyNotFound'
  | 'InvalidPolicy'
  | 'ConfigParse'
  | 'Storage'
  | 'IndexBuild'
  | 'Embedding'
  | 'Supervisor'
  | 'SupervisorTimeout'
  | 'HumanTimeout'
  | 'Ipc'
  | 'SocketNotFound'
  | 'RegistrationTimeout'
  | 'GlobPattern'
  | 'Io'
  | 'Json'
  | 'Api';

/** The one error class. `kind` is for programs, `message` for people. */
export class HookwiseError extends Error {
  override readonly name = 'HookwiseError';
  readonly kind: HookwiseErrorKind;

  constructor(kind: HookwiseErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

const make = (kind: HookwiseErrorKind, message: string): HookwiseError => new HookwiseError(kind, message);

/** Longest piece of a remote error body that is kept. */
const bodyLimit = 512;

/** One factory per kind; callers sanitise what they pass in. */
export const errors = {
  sessionNotRegistered: (sessionId: string) => make('SessionNotRegistered', `session not registered: ${sessionId}`),
  sessionDisabled: (sessionId: string) => make('SessionDisabled', `session disabled: ${sessionId}`),
  roleNotFound: (roleName: string) => make('RoleNotFound', `role not found: ${roleName}`),
  policyNotFound: (path: string) => make('PolicyNotFound', `policy file not found: ${path}`),
  invalidPolicy: (reason: string) => make('InvalidPolicy', `invalid policy: ${reason}`),
  configParse: (path: string, reason: string) => make('ConfigParse', `config parse error in ${path}: ${reason}`),
  storage: (reason: string) => make('Storage', `storage error: ${reason}`),
  indexBuild: (reason: string) => make('IndexBuild', `index build error: ${reason}`),
  embedding: (reason: string) => make('Embedding', `embedding error: ${reason}`),
  supervisor: (reason: string) => make('Supervisor', `supervisor error: ${reason}`),
  supervisorTimeout: (secs: number) => make('SupervisorTimeout', `supervisor timeout after ${secs}s`),
  humanTimeout: (secs: number) => make('HumanTimeout', `human decision timeout after ${secs}s`),
  ipc: (reason: string) => make('Ipc', `ipc error: ${reason}`),
  socketNotFound: (path: string) => make('SocketNotFound', `socket not found at ${path}`),
  registrationTimeout: (sessionId: string, waitedSecs: number) =>
    make('RegistrationTimeout', `registration timeout: waited ${waitedSecs}s for session ${sessionId}`),
  globPattern: (pattern: string, reason: string) => make('GlobPattern', `glob pattern error: ${pattern}: ${reason}`),
  io: (reason: string) => make('Io', `io error: ${reason}`),
  json: (reason: string) => make('Json', `json error: ${reason}`),
  api: (status: number, body: string) => make('Api', `api error: status=${status}, body=${body.slice(0, bodyLimit)}`),
};

/** The text of whatever was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
