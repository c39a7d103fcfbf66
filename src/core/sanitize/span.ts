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

const fewSecrets = 64;
const charactersPerSecret = 96;

/** Whether a text has so many secrets that it is hardly anything else, and is taken for one as a whole. */
export const isCrowded = (text: string, secrets: number): boolean =>
  secrets > fewSecrets + text.length / charactersPerSecret;

/** A text that is a secret as a whole, because to look at all of it would take too long. */
export const wholeText = (text: string): Span[] => [{ start: 0, end: text.length, kind: 'unread', slot: 'free' }];

/** Runs `build` at the first call only. */
export const once = <T>(build: () => T): (() => T) => {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
};
