import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Who started this process. */
export type Caller =
  /** A person at a terminal that no agent owns. */
  | { readonly kind: 'terminal' }
  /** A tool call of an agent, or something it started. */
  | { readonly kind: 'agent'; readonly why: string; readonly sessionId?: string }
  /** No terminal and no agent: a script, CI, another program. */
  | { readonly kind: 'script' };

const markers = ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_PID', 'AI_AGENT'];

const mostAncestors = 64;

/**
 * Tells a person from an agent: by the marks a host leaves in the environment of what it starts, on this process and
 * on its ancestors, and by the terminal. A process of the same user that hides both is beyond what can be told here.
 */
export const callerOf = (env: Readonly<Record<string, string | undefined>>, pid: number): Caller => {
  const marked = markers.find((name) => env[name] !== undefined);
  const sessionId = env['CLAUDE_CODE_SESSION_ID'];
  if (marked !== undefined)
    return { kind: 'agent', why: `${marked} is set`, ...(sessionId === undefined ? {} : { sessionId }) };
  const ancestor = agentAncestor(pid);
  if (ancestor !== undefined) return { kind: 'agent', why: ancestor };
  return isatty(0) && isatty(2) ? { kind: 'terminal' } : { kind: 'script' };
};

const agentAncestor = (pid: number): string | undefined => {
  let at: number | undefined = parentOf(pid);
  for (let step = 0; step < mostAncestors && at !== undefined && at > 1; step += 1) {
    const name = readText(`/proc/${at}/comm`)?.trim();
    if (name === 'claude') return `process ${at} is claude`;
    const environment = readText(`/proc/${at}/environ`)?.split('\0') ?? [];
    const marked = markers.find((marker) => environment.some((pair) => pair.startsWith(`${marker}=`)));
    if (marked !== undefined) return `process ${at} (${name ?? '?'}) has ${marked}`;
    at = parentOf(at);
  }
  return undefined;
};

/** Field 4 of `/proc/<pid>/stat`; the second field is in parentheses and may hold anything. */
const parentOf = (pid: number): number | undefined => {
  const stat = readText(`/proc/${pid}/stat`);
  const parent = stat === undefined ? Number.NaN : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return Number.isInteger(parent) ? parent : undefined;
};

/** Other people's processes and systems without /proc show nothing. */
const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
