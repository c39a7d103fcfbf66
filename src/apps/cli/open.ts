import { type Caller, callerOf } from '../../io/process/caller.ts';
import { openGround, openProject, type Project } from '../compose.ts';
import type { Invocation } from './command.ts';

/** The project around the working directory. */
export const projectHere = ({ surroundings, cwd }: Invocation, root?: string): Project =>
  openProject(surroundings, openGround(surroundings, root ?? cwd, root));

/** Who started this command. */
export const callerHere = ({ caller, surroundings }: Invocation): Caller =>
  caller === undefined ? callerOf(surroundings.env, process.pid) : caller();

/** Refuses when the caller is not a person at a terminal of their own. `what` completes "hookwise …". */
export const requirePerson = (invocation: Invocation, what: string): void => {
  const caller = callerHere(invocation);
  if (caller.kind === 'terminal') return;
  throw new Error(refusal(caller, what));
};

/** Refuses only what an agent started: scripts and CI may go on. */
export const refuseAgent = (invocation: Invocation, what: string): void => {
  const caller = callerHere(invocation);
  if (caller.kind === 'agent') throw new Error(refusal(caller, what));
};

const refusal = (caller: Exclude<Caller, { kind: 'terminal' }>, what: string): string =>
  caller.kind === 'agent'
    ? `an agent may not ${what} (${caller.why}); run it in a terminal of your own`
    : `${what} needs a person: run it in a terminal (standard input and standard error are not one)`;
