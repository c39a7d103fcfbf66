/**
 * Classes of effects that are never allowed by a cache, by similarity or by a model: a person decides each time,
 * or a person's explicit rule at user or org scope does.
 */
export type RiskClass =
  | 'destroy' // data outside the project, or beyond recovery
  | 'send' // local data to a destination that is not a remote of the trusted repository
  | 'credentials' // reading keys, tokens, password stores
  | 'privilege' // raising privilege
  | 'publish' // publishing or deploying
  | 'persist' // writing what runs later outside the project
  | 'fetched-code' // running code fetched in the same call
  | 'control' // hookwise's or the host's own controls
  | 'disable-control'; // switching a control off

/** One thing a call would do. Paths are absolute and lexically normal. */
export type Effect = { readonly risk?: RiskClass } & (
  | { readonly kind: 'read' | 'write' | 'delete'; readonly path: string; readonly spelled: string }
  | { readonly kind: 'connect'; readonly host: string }
  | { readonly kind: 'run'; readonly program: string }
  | { readonly kind: 'delegate'; readonly agentType: string }
  | { readonly kind: 'control'; readonly command: ControlCommand }
  | { readonly kind: 'unknown'; readonly why: string }
);

/**
 * A command of the gate or of its host, seen in a tool call. `plain`: nothing but literal words, started by nothing
 * else, so that it means what it says. `words` are its arguments.
 */
export interface ControlCommand {
  readonly program: string;
  readonly words: readonly string[];
  readonly plain: boolean;
}
