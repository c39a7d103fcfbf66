import { type IndexFile, openIndexFile } from './index-file.ts';
import { type DigestWords, type RowFields, waitingBytes } from './index-format.ts';
import type { IndexState, OverrideRow } from './index-header.ts';
import { signatureOf } from './rules-file.ts';
import type { RulesLocation } from './rules-location.ts';
import type { TrustView } from './trust-view.ts';
import type { Seal } from './user-key.ts';

/** Which index, whose, and of what. */
export interface IndexPlace {
  readonly location: RulesLocation;
  readonly state: string;
  readonly seal: Seal;
  /** Needed for locations in a repository; without it none of their allows count. */
  readonly trust?: TrustView | undefined;
}

/** The index of a location on disk: a base, and beside it a small file with what was added since. */
export interface IndexPair {
  readonly base: IndexFile;
  readonly addition?: IndexFile;
  /** What both together were made from. */
  readonly state: IndexState;
  readonly names: readonly string[];
  readonly overrides: readonly OverrideRow[];
  /** Every row under a digest; `undefined` when damage was met on the way. */
  readonly search: (digest: DigestWords) => readonly RowFields[] | undefined;
  readonly close: () => void;
}

/** The directory in which indexes lie. */
export const indexDirectory = (state: string): string => `${state}/index`;

/** The files of a location's index. */
export const indexPaths = ({ location, state }: Pick<IndexPlace, 'location' | 'state'>) => {
  const stem = `${indexDirectory(state)}/${shortName(location.path)}`;
  return { base: `${stem}.idx`, addition: `${stem}.add`, lock: `${stem}.idx.lock` };
};

/**
 * FNV-1a in two halves: a name and no secret. Should two paths ever share one, each makes the index anew in turn, since
 * the other one's says nothing about its files.
 */
const shortName = (path: string): string => {
  let [low, high] = [0x811c9dc5, 0x9dc5811c];
  for (let at = 0; at < path.length; at++) {
    low = Math.imul(low ^ path.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ path.charCodeAt(at), 0x01000197);
  }
  return `${(low >>> 0).toString(36)}-${(high >>> 0).toString(36)}-${path.length}`;
};

/** The index as it is now, current or not. Call `close` after use. */
export const openPair = (place: IndexPlace): IndexPair | undefined => {
  const paths = indexPaths(place);
  // The addition first: a base that replaces both is then seen as one that needs no addition.
  const addition = openIndexFile(paths.addition, place.seal);
  const base = openIndexFile(paths.base, place.seal);
  if (base !== undefined && addition?.header.base === base.id()) return pairOf(base, addition);
  addition?.close();
  return base && pairOf(base);
};

/** A base with what was added to it. */
export const pairOf = (base: IndexFile, addition?: IndexFile): IndexPair => {
  const names = addition === undefined ? base.header.names : [...base.header.names, ...addition.header.names];
  const search = (digest: DigestWords): readonly RowFields[] | undefined => {
    const found = base.search(digest, names);
    const added = addition?.search(digest, names);
    if (addition === undefined || found === undefined) return found;
    return added && inFileOrder([...found, ...added]);
  };
  const close = (): void => {
    base.close();
    addition?.close();
  };
  const { trust, answered, states, lines, untrusted } = addition?.header ?? base.header;
  const state: IndexState = { trust, answered, states, lines, untrusted };
  const overrides =
    addition === undefined
      ? base.header.overrides
      : inFileOrder([...base.header.overrides, ...addition.header.overrides]);
  return { base, ...(addition === undefined ? {} : { addition }), state, names, overrides, search, close };
};

/** The order in which an index that was made anew would have them. */
const inFileOrder = <T extends RowFields>(rows: T[]): readonly T[] =>
  rows.sort((a, b) => a.file - b.file || a.line - b.line);

/** An index that says what the files say now. */
export interface CurrentPair {
  readonly pair: IndexPair;
  /** How much of the log of trusted answers was looked at. */
  readonly answered: number;
  /** How many answers were trusted since the index was written: none of them is about a line of this location. */
  readonly unseen: number;
}

const attempts = 3;

/** The index, when it is current. Call `close` after use. */
export const openCurrent = (place: IndexPlace): CurrentPair | undefined => {
  let last = '';
  for (let attempt = 0; attempt < attempts; attempt++) {
    const pair = openPair(place);
    if (pair === undefined) return undefined;
    const seen = currentAt(pair, place);
    if (seen !== undefined) return { pair, ...seen };
    pair.close();
    // A writer may have been between the rules file and the index: look again when there is something new.
    const id = `${pair.base.id()} ${pair.addition?.id()}`;
    if (id === last) return undefined;
    last = id;
  }
  return undefined;
};

/** The state of trust by command: what answers add to it is in the log. */
export const trustOf = ({ location, trust }: Pick<IndexPlace, 'location' | 'trust'>): string =>
  location.inRepository ? (trust?.trustSignature() ?? 'nobody') : 'not needed';

const currentAt = (pair: IndexPair, place: IndexPlace): Omit<CurrentPair, 'pair'> | undefined => {
  const { state } = pair;
  const { files } = place.location;
  try {
    if (state.trust !== trustOf(place) || state.states.length !== files.length) return undefined;
    const isSame = files.every(({ path }, number) => state.states[number] === signatureOf(path).state);
    return isSame ? answersAt(pair, place) : undefined;
  } catch {
    // What cannot be looked at is looked at again when the index is made anew, and reported then.
    return undefined;
  }
};

const answersAt = (pair: IndexPair, { location, trust }: IndexPlace): Omit<CurrentPair, 'pair'> | undefined => {
  const { answered } = pair.state;
  if (!location.inRepository || trust?.answers === undefined) return { answered, unseen: 0 };
  const tail = trust.answers.after(answered);
  if (tail === undefined || tail.digests.some((digest) => isWaiting(pair, digest))) return undefined;
  return { answered: tail.end, unseen: tail.digests.length };
};

const isWaiting = ({ base, addition }: IndexPair, digest: string): boolean => {
  const prefix = Buffer.from(digest, 'hex').subarray(0, waitingBytes);
  return base.isWaiting(prefix) || addition?.isWaiting(prefix) === true;
};
