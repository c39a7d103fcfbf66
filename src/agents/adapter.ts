import type { Decision } from '../core/model/decision.ts';
import type { HookRequest } from '../core/model/request.ts';
import type { Result } from '../core/model/result.ts';

/** Why a payload could not be read. `why` names the field; it never repeats the payload. */
export interface DecodeError {
  readonly why: string;
  /** What could still be told, for the reply and the log. */
  readonly event?: string;
  readonly sessionId?: string;
  readonly cwd?: string;
}

/** What a hook process leaves behind: both streams and the exit code. */
export interface Reply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** How a deny leaves the process: as the host's strongest form (`block`), as JSON alone, or as the seed had it (exit 1). */
export type DenyExit = 'block' | 'json' | 'seed';

/** What the gate wants said to the host. */
export type Answer =
  /** `notice` replaces the one-line reason of a deny by a text of several lines and adds the older `decision: block`. */
  | { readonly kind: 'verdict'; readonly decision: Decision; readonly context?: string; readonly notice?: string }
  | { readonly kind: 'silent' }
  /** Text for the model, where the event allows it, and for the person. */
  | { readonly kind: 'context'; readonly event: string; readonly text: string; readonly systemMessage?: string }
  /** Text for the person only. */
  | { readonly kind: 'message'; readonly text: string }
  /** A refusal for events other than tool calls. */
  | { readonly kind: 'block'; readonly event: string; readonly reason: string };

/** One host: payload → request, answer → reply. */
export interface Adapter {
  readonly name: string;
  decode(payload: unknown): Result<HookRequest, DecodeError>;
  encode(answer: Answer, options: { readonly denyExit: DenyExit }): Reply;
}
