import { defaultEntropyLimits, type EntropyLimits } from './entropy.ts';
import { encodedFinder, type Find, findStructural, prefixFinder, randomFinder, tokenFinder } from './layers.ts';
import { compilePattern } from './patterns.ts';
import { findAll, mergeFindings, redact, type Writing } from './redact.ts';
import { once, type Span } from './span.ts';

/** Replaces secrets in a text. The text given is never kept. */
export interface Sanitizer {
  readonly name: string;
  readonly sanitize: (text: string) => string;
}

/** A sanitizer that can also say where the secrets are, so that several can work on one text. */
export interface Layer extends Sanitizer {
  readonly find: Find;
}

/** What became of a text. */
export interface Sanitized {
  /** Fit to be stored and shown: every secret replaced. */
  readonly text: string;
  /** Only what stands in structural slots replaced: identifies the input, and may still hold a secret. */
  readonly canonical: string;
  readonly spans: readonly Span[];
  /** Whether something outside a structural slot was replaced, so that different inputs may have one text. */
  readonly lossy: boolean;
}

export interface Pipeline extends Layer {
  readonly layers: readonly Layer[];
  readonly inspect: (text: string) => Sanitized;
}

const defaultWriting: Writing = { placeholder: 'typed', markers: 'escape' };

const layer = (name: string, find: Find): Layer => ({
  name,
  find,
  sanitize: (text) => redact(text, mergeFindings([find(text)]), defaultWriting),
});

/** Words that start with one of these literals. */
export const ahoCorasickSanitizer = (prefixes: readonly string[]): Layer =>
  layer('aho-corasick', prefixFinder(prefixes));

/**
 * Whatever matches one of the patterns (RegExp sources, case ignored); a group named `secret` narrows the redaction.
 * An invalid pattern, or one that can take exponential time, is an error.
 */
export const regexSanitizer = (patterns: readonly string[]): Layer => {
  const compiled = patterns.map(compilePattern);
  return layer('regex', (text) => ({ spans: compiled.flatMap((find) => find(text)), regions: [] }));
};

/** Random tokens of unknown kinds. */
export const entropySanitizer = (limits: Partial<EntropyLimits> = {}): Layer =>
  layer('entropy', randomFinder({ ...defaultEntropyLimits, ...limits }));

/** Runs layers on one text. All of them see the text as it was given, so no layer hides anything from another. */
export const sanitizePipeline = (layers: readonly Layer[], writing: Partial<Writing> = {}): Pipeline => {
  const style = { ...defaultWriting, ...writing };
  const findOnce = (text: string): Span[] => mergeFindings(layers.map((each) => each.find(text)));
  const find: Find = (text) => ({ spans: findAll(text, findOnce), regions: [] });
  const inspect = (text: string): Sanitized => {
    const { spans } = find(text);
    const structural = spans.filter((span) => span.slot === 'structural');
    const redacted = redact(text, spans, style);
    const lossy = structural.length < spans.length;
    return { text: redacted, canonical: lossy ? redact(text, structural, style) : redacted, spans, lossy };
  };
  return { name: 'pipeline', layers, find, inspect, sanitize: (text) => inspect(text).text };
};

/** Known tokens, structural slots, random tokens, and all of these behind one encoding. */
export const defaultPipeline = (writing: Partial<Writing> = {}): Pipeline => {
  const tokens = tokenFinder();
  const layers = [
    layer('aho-corasick', tokens),
    layer('regex', findStructural),
    layer('entropy', randomFinder()),
    layer('encoding', encodedFinder(tokens)),
  ];
  return sanitizePipeline(layers, writing);
};

const raw = once(() => defaultPipeline());
const again = once(() => defaultPipeline({ markers: 'keep' }));

/** Sanitises raw input: text that only looks like a redaction is escaped. */
export const sanitize = (text: string): Sanitized => raw().inspect(text);

/** Sanitises text that may have been sanitised before: doing it twice changes nothing. */
export const sanitizeText = (text: string): string => again().sanitize(text);
