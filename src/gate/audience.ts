import type { Decision } from '../core/model/decision.ts';
import type { AskDelivery } from '../core/model/policy.ts';

/** Who could answer a question about this call. */
export interface Audience {
  /** Somebody sits at the host's own prompt. */
  readonly attended: boolean;
  /** Somebody watches the queue (a live queue, a webhook, a team lead). */
  readonly queueIsWatched: boolean;
  readonly delivery: AskDelivery;
  /** The host's permission mode: `dontAsk` asks nobody. */
  readonly mode: string;
}

/**
 * How a question is put: `native` by the host's own prompt; `wait` in the queue while the call is held;
 * `file` in the queue for the next attempt, the call being refused; `refuse` without a question.
 */
export type AskRoute = 'native' | 'wait' | 'file' | 'refuse';

/** Where an `ask` goes. Nobody to ask means no. */
export const routeOf = (decision: Pick<Decision, 'unattended'>, audience: Audience): AskRoute => {
  if (audience.mode === 'dontAsk') return 'refuse';
  if (audience.attended) return audience.delivery === 'queue' ? 'wait' : 'native';
  if (decision.unattended === 'deny') return 'refuse';
  switch (audience.delivery) {
    case 'native':
      return 'native';
    case 'queue':
    case 'both':
      return 'wait';
    case 'auto':
      return audience.queueIsWatched ? 'wait' : 'file';
  }
};
