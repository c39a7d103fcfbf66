import { lstatSync } from 'node:fs';
import type { Neighbour, Neighbours, SimilarMemory, SimilarQuery } from '../../core/model/neighbour.ts';
import { localEmbedder } from '../../core/similarity/embedder.ts';
import { tokenize } from '../../core/similarity/tokens.ts';
import type { RulesLocation } from '../stores/rules-location.ts';
import { shapeNumber } from './documents.ts';
import {
  buildLocationIndex,
  type LocationIndexOptions,
  openLocationIndex,
  type SimilarIndex,
} from './location-index.ts';

/** What the similarity tiers remember, and where. */
export interface SimilarMemoryOptions extends Omit<LocationIndexOptions, 'location'> {
  readonly locations: readonly RulesLocation[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The same without an embedder: the built-in one is used. */
export type LocalMemoryOptions = Omit<SimilarMemoryOptions, 'embedder'>;

/** Opens memory with the built-in embedder. */
export type OpenLocalMemory = (options: LocalMemoryOptions) => OpenSimilarMemory;

/** A similar memory that holds files open. */
export interface OpenSimilarMemory extends SimilarMemory {
  readonly close: () => void;
}

/** Of very many restrictions that are like a call, the best few say enough: one decides. */
const mostRestrictions = 4096;
/** Allows of one shape differ in data only, so any of them will do. */
const mostAllows = 32;

export const localSimilarMemory: OpenLocalMemory = (options) =>
  similarMemory({ ...options, embedder: localEmbedder() });

/** One location with its index; or with the reason why it has none. */
export interface SearchedLocation {
  readonly location: RulesLocation;
  readonly index: SimilarIndex | { readonly problem: string };
}

/** Looks in every location. An index that is missing or stale is made anew at the first question, unless it would take long. */
export const similarMemory = (options: SimilarMemoryOptions): OpenSimilarMemory => {
  const closing: (() => void)[] = [];
  const { embedder } = options;
  const open = (location: RulesLocation): readonly SearchedLocation[] => {
    const own: LocationIndexOptions = { ...options, location };
    const opened = openLocationIndex(own) ?? (isLong(location) ? undefined : buildLocationIndex(own));
    if (opened === undefined)
      return [
        {
          location,
          index: { problem: `the similarity index of ${location.path} is out of date; hookwise build makes it anew` },
        },
      ];
    closing.push(opened.close);
    return [opened, ...(opened.added === undefined ? [] : [opened.added])].map((index) => ({ location, index }));
  };
  let searched: SimilarMemory | undefined;
  const memory = (): SimilarMemory => {
    searched ??= searchedMemory(options.locations.flatMap(open), { ...options, embedder });
    return searched;
  };
  return {
    nearTokens: (query) => memory().nearTokens(query),
    nearEmbeddings: (query) => memory().nearEmbeddings(query),
    close: () => {
      for (const close of closing.splice(0)) close();
      searched = undefined;
    },
  };
};

/** Rules files above this size, together, are not indexed while a call waits. */
const longBytes = 8 * 1024 * 1024;

const isLong = ({ files }: RulesLocation): boolean =>
  files.reduce((sum, { path }) => sum + (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0), 0) > longBytes;

/** The same over indexes that are there already. */
export const searchedMemory = (
  all: readonly SearchedLocation[],
  { embedder, now }: Pick<SimilarMemoryOptions, 'embedder' | 'now'>,
): SimilarMemory => ({
  nearTokens: (query) => {
    const tokens = tokenize(query.text);
    return gather(all, { query, now: now() }, (index, range) =>
      index.tokens.near(tokens, { threshold: query.threshold, ...range }),
    );
  },
  nearEmbeddings: (query) => {
    const vector = embedder.embed({ tool: query.tool, text: query.text });
    return gather(all, { query, now: now() }, (index, range) =>
      index.vectors.searchAbove(vector, { threshold: query.threshold, ...range }),
    );
  },
});

interface Range {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

type Look = (
  index: SimilarIndex,
  range: Range,
) => readonly { readonly document: number; readonly score: number }[] | undefined;

interface Asking {
  readonly query: SimilarQuery;
  readonly now: number;
}

/** Asks and denies from everywhere, allows of the wanted shape; the best first. */
const gather = (all: readonly SearchedLocation[], asking: Asking, look: Look): Neighbours => {
  const found: Neighbour[] = [];
  const problems: string[] = [];
  for (const { location, index } of all) {
    if ('problem' in index) problems.push(index.problem);
    else
      for (const range of rangesOf(index, asking.query)) {
        const near = look(index, range)?.map(({ document, score }) =>
          neighbourOf(document, { location, index, score }),
        );
        if (near === undefined || near.includes(undefined))
          problems.push(`the similarity index of ${location.path} is damaged; hookwise build makes it anew`);
        for (const neighbour of near ?? [])
          if (neighbour !== undefined && isInForce(neighbour, asking.now)) found.push(neighbour);
      }
  }
  const [problem] = problems;
  return { found: found.sort((a, b) => b.score - a.score), ...(problem === undefined ? {} : { problem }) };
};

const rangesOf = ({ entries }: SimilarIndex, { shape }: SimilarQuery): readonly Range[] => {
  const restrictions: Range = { from: 0, to: entries.restrictions, limit: mostRestrictions };
  const [from, to] =
    shape === undefined
      ? [entries.restrictions, entries.documents]
      : shape === ''
        ? [0, 0]
        : entries.ofShape(shapeNumber(shape));
  return [restrictions, { from, to, limit: mostAllows }].filter((range) => range.from < range.to);
};

interface Found extends Neighbour {
  readonly expiresMs: number;
}

const isInForce = ({ expiresMs }: Found, now: number): boolean => expiresMs === 0 || expiresMs > now;

interface Place {
  readonly location: RulesLocation;
  readonly index: SimilarIndex;
  readonly score: number;
}

const neighbourOf = (number: number, { location, index, score }: Place): Found | undefined => {
  const document = index.entries.document(number);
  if (document === undefined) return undefined;
  const { scope, files, path } = location;
  const source = { file: files[document.file]?.path ?? path, line: document.line };
  return {
    entry: { ...document.entry, scope, source },
    text: document.text,
    ...(document.context === undefined ? {} : { context: document.context }),
    score,
    expiresMs: document.expiresMs,
  };
};
