import type { Span } from '../../core/sanitize/span.ts';
import { blockCollector, placeInBlock } from './blocks.ts';
import { type Hit, withoutInner } from './finding.ts';
import { type JsonJudge, type JsonSecret, secretsInJson } from './json-line.ts';
import { type Found, isKnown, isPlausible, type Language } from './plausible.ts';
import { followingSpans } from './spread-values.ts';
import { type Inspect, inWindows } from './windows.ts';

/** How one text is looked at. */
export interface TextOptions {
  readonly language: Language;
  /** One JSON value a line: escapes are undone, and a finding points to the start of its value. */
  readonly isJsonLines: boolean;
  /** `everything`: also what is most likely code or an example. */
  readonly report: 'plausible' | 'everything';
}

/** Finds the secrets of a text, line by line. */
export type TextScanner = (
  lines: Iterable<string>,
  options: TextOptions,
  each?: (line: string, number: number) => void,
) => Hit[];

/** Characters of a line in front of a finding that help to name it. */
const contextLength = 80;

/** The shortest lines hold no secret that could be told from other text. */
const shortestLine = 6;

/** What a scanner needs of the sanitiser. */
export interface Detection {
  readonly inspect: Inspect;
  readonly sanitize: (text: string) => string;
}

/** A scanner of texts. */
export const textScanner = ({ inspect, sanitize }: Detection): TextScanner => {
  const inLine = inWindows(inspect);
  return (lines, options, each) => {
    const hits: Hit[] = [];
    const hitIn = hitMaker(sanitize);
    const wanted = wantedOnly(inLine, options);
    const blocks = blockCollector((block) => {
      for (const { kind, start, end } of inLine(block.text)) {
        const from = placeInBlock(block, block.kind === 'key' ? 0 : start);
        const to = placeInBlock(block, end);
        if (from.line === to.line) continue;
        hits.push({
          kind,
          length: end - start,
          before: '',
          ...from,
          endLine: to.line,
          endColumn: to.column,
        });
      }
    });
    const following = followingSpans();
    let number = 0;
    for (const line of lines) {
      number += 1;
      each?.(line, number);
      blocks.add(line, number);
      for (const span of spansOf(line, { options, inLine })) hits.push(hitIn(line, number, span));
      for (const span of following(line, wanted)) hits.push(hitIn(line, number, span));
    }
    blocks.end();
    return withoutInner(hits);
  };
};

interface LineSpan extends Pick<Span, 'kind' | 'start' | 'end'> {
  /** When it is not the distance between start and end. */
  readonly length?: number;
}

interface LineScan {
  readonly options: TextOptions;
  readonly inLine: Inspect;
}

const spansOf = (line: string, { options, inLine }: LineScan): readonly LineSpan[] => {
  const text = line.trimStart();
  if (text.length < shortestLine) return [];
  const found = inLine(text);
  const isJson = options.isJsonLines && /^[[{"]/.test(text);
  if (found.length === 0 && !isJson) return found;
  const cut = line.length - text.length;
  const isWanted = wantedBy(options, inLine);
  const plain = found
    .filter((span) => isWanted({ ...span, text }))
    .map((span) => ({ ...span, start: span.start + cut, end: span.end + cut }));
  const values = isJson
    ? secretsInJson(line, { inspect: wantedOnly(inLine, options), isWanted: (value) => isWanted(asQuoted(value)) })
    : undefined;
  return values === undefined ? plain : jsonSpans(values, plain);
};

/** Whether a finding is reported. A text that is passed over for its place may still hold something known. */
const wantedBy = ({ report, language }: TextOptions, inspect: Inspect): ((found: Found) => boolean) =>
  report === 'everything'
    ? () => true
    : (found) =>
        isPlausible(found, language) ||
        inspect(found.text.slice(found.start, found.end)).some(({ kind }) => isKnown(kind));

const wantedOnly = (inspect: Inspect, options: TextOptions): Inspect => {
  const isWanted = wantedBy(options, inspect);
  return (text) => inspect(text).filter((span) => isWanted({ ...span, text }));
};

const asQuoted = ({ kind, before, value }: Parameters<JsonJudge['isWanted']>[0]): Found => {
  const start = before.length + 1;
  return { kind, text: `${before}"${value}"`, start, end: start + value.length };
};

/** What lies in a value is reported once, at the value's start; what lies in none, where it is. */
const jsonSpans = (values: readonly JsonSecret[], plain: readonly Span[]): readonly LineSpan[] => [
  ...values,
  ...plain.filter((span) => !values.some(({ start, end }) => span.start < end && start < span.end)),
];

const hitMaker = (sanitize: (text: string) => string) => {
  return (line: string, number: number, { kind, start, end, length = end - start }: LineSpan): Hit => ({
    kind,
    length,
    line: number,
    column: start + 1,
    endLine: number,
    endColumn: end + 1,
    before: sanitize(line.slice(Math.max(0, start - contextLength), start)),
  });
};
