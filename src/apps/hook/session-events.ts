import type { Answer } from '../../agents/adapter.ts';
import type { HookRequest } from '../../core/model/request.ts';
import { rolePrompt } from '../../gate/registration.ts';
import type { Project } from '../compose.ts';
import { environmentWarnings, roleNamed, type SessionState } from '../session.ts';
import type { HookCall } from './call.ts';
import { open } from './open.ts';

type Of<Kind extends HookRequest['kind']> = Extract<HookRequest, { readonly kind: Kind }>;

/** Before a prompt: a session without a role is told to ask for one. A person's "No" leaves no other trace than this. */
export const promptSubmitted = (request: Of<'prompt'>, call: HookCall): Answer => {
  const { project, state } = open(request, call);
  project.natives.clear(request.session.sessionId);
  if (state.standing.kind !== 'unregistered') return { kind: 'silent' };
  return {
    kind: 'context',
    event: 'UserPromptSubmit',
    text: rolePrompt(request.session.sessionId, customRoles(project)),
  };
};

const customRoles = (project: Project): string[] =>
  Object.values(project.policy.roles).flatMap((role) => (role.category === 'custom' ? [role.name] : []));

/** At the start: the default role an owner configured, and what a person should know about this place. */
export const sessionStarted = (request: Of<'session-start'>, call: HookCall): Answer => {
  const { project, state } = open(request, call);
  const lines = [
    ...state.warnings,
    ...environmentWarnings(project),
    ...registerDefault({ project, state, sessionId: request.session.sessionId }, call),
    ...project.policy.problems.map(({ source, reason }) => `${source.file}:${source.line}: ${reason}`),
    ...untrusted(project),
    ...project.observer.problems().map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
  ];
  project.observer.close();
  if (lines.length === 0) return { kind: 'silent' };
  const text = lines.map((line) => `hookwise: ${line}`).join('\n');
  return { kind: 'context', event: 'SessionStart', text, systemMessage: text };
};

interface Starting {
  readonly project: Project;
  readonly state: SessionState;
  readonly sessionId: string;
}

/** Gives a session without a role the default one of an owner's configuration. Returns what kept it from doing so. */
export const registerDefault = ({ project, state, sessionId }: Starting, { surroundings }: HookCall): string[] => {
  const name = project.policy.settings.defaultRole;
  if (name === undefined || state.standing.kind === 'registered' || state.standing.kind === 'disabled') return [];
  if (project.policy.settings.gating === 'never') return [];
  const role = roleNamed(project, name);
  if (role === undefined) return [`default_role: role not found: ${name}`];
  if (role.category === 'full-access') return [`default_role: ${name} is a full-access role and is never a default`];
  const at = new Date(surroundings.now()).toISOString();
  state.store.register({ sessionId, role: name, at, registeredBy: 'config:default_role' });
  return [];
};

const untrusted = ({ policy }: Project): string[] => {
  const { length } = policy.untrusted;
  if (length === 0) return [];
  return [
    `${length} line${length === 1 ? '' : 's'} of this repository's policy widen what agents may do and are not in force: hookwise trust shows them`,
  ];
};

/** At the end: nothing of the session's questions is left behind. The registration stays, since a session can be resumed. */
export const sessionEnded = (request: Of<'session-end'>, call: HookCall): Answer => {
  const { project } = open(request, call);
  project.natives.clear(request.session.sessionId);
  return { kind: 'silent' };
};
