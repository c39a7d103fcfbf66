import { defaultEntropyLimits, type EntropyLimits } from './entropy.ts';
import {
  encodedFinder,
  type Find,
  findStructural,
  prefixFinder,
  randomFinder,
  type SurveyedFind,
  splitFinder,
  surveying,
  tokenFinder,
} from './layers.ts';
import { compilePattern } from './patterns.ts';
import { findAll, mergeFindings, redact, type Writing } from './redact.ts';
import { type Findings, isCrowded, once, type Span, wholeText } from './span.ts';
import { surveyOf } from './survey.ts';

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
  layer('entropy', surveying(randomFinder({ ...defaultEntropyLimits, ...limits })));

interface Running {
  readonly findOnce: (text: string) => Span[];
  readonly writing: Partial<Writing>;
}

const pipeline = (layers: readonly Layer[], { findOnce, writing }: Running): Pipeline => {
  const style = { ...defaultWriting, ...writing };
  const find: Find = (text) => ({ spans: findAll(text, findOnce), regions: [] });
  const inspect = (text: string): Sanitized => {
    const spans = findAll(text, findOnce);
    if (spans.length === 0) {
      const clean = redact(text, spans, style);
      return { text: clean, canonical: clean, spans, lossy: false };
    }
    const structural = spans.filter((span) => span.slot === 'structural');
    const redacted = redact(text, spans, style);
    const lossy = structural.length < spans.length;
    return { text: redacted, canonical: lossy ? redact(text, structural, style) : redacted, spans, lossy };
  };
  return { name: 'pipeline', layers, find, inspect, sanitize: (text) => inspect(text).text };
};

/** Runs layers on one text. All of them see the text as it was given, so no layer hides anything from another. */
export const sanitizePipeline = (layers: readonly Layer[], writing: Partial<Writing> = {}): Pipeline =>
  pipeline(layers, { findOnce: (text) => mergeFindings(layers.map((each) => each.find(text))), writing });

/** Known tokens, structural slots, random tokens, and all of these behind one encoding. */
export const defaultPipeline = (writing: Partial<Writing> = {}): Pipeline => {
  const tokens = tokenFinder();
  const finders: readonly (readonly [name: string, find: SurveyedFind])[] = [
    ['aho-corasick', splitFinder(tokens)],
    ['regex', findStructural],
    ['entropy', randomFinder()],
    ['encoding', encodedFinder(tokens)],
  ];
  const findOnce = (text: string): Span[] => {
    const survey = surveyOf(text);
    const findings: Findings[] = [];
    let count = 0;
    for (const [, find] of finders) {
      const found = find(text, survey);
      count += found.spans.length;
      // One secret may be found by several layers.
      if (isCrowded(text, count / 2)) return wholeText(text);
      if (found.spans.length > 0) findings.push(found);
    }
    return mergeFindings(findings);
  };
  return pipeline(
    finders.map(([name, find]) => layer(name, surveying(find))),
    { findOnce, writing },
  );
};

const raw = once(() => defaultPipeline());
const again = once(() => defaultPipeline({ markers: 'keep' }));

/** Sanitises raw input: text that only looks like a redaction is escaped. */
export const sanitize = (text: string): Sanitized => raw().inspect(text);

/** Sanitises text that may have been sanitised before: doing it twice changes nothing. */
export const sanitizeText = (text: string): string => again().sanitize(text);
