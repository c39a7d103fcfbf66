/**
 * Where a secret was found. `structural` is a place that can only hold a credential (a header value, the value of a
 * credential option or assignment, the userinfo or a credential parameter of a URL); `free` is everywhere else.
 */
export type Slot = 'structural' | 'free';

/** One secret. Offsets count in the text that was given. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The detector or slot that found it. */
  readonly kind: string;
  readonly slot: Slot;
}

/** A part of a text that holds no secret by itself, but in which a secret is in a structural place. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** What a layer found. */
export interface Findings {
  readonly spans: readonly Span[];
  readonly regions: readonly Region[];
}

/** Runs `build` at the first call only. */
export const once = <T>(build: () => T): (() => T) => {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
};
