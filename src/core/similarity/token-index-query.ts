import { type BestDocuments, bestDocuments, type NearDocument } from './token-index-best.ts';
import { largestSize, neededOverlap, smallestSize } from './token-index-bounds.ts';
import { groupWords, type IndexSections, listWords, postingWords } from './token-index-layout.ts';
import { findToken, type IndexedToken } from './token-index-lookup.ts';
import type { WordAt } from './token-index-pages.ts';
import { bitOf, surelyMissing } from './token-index-signature.ts';
import { coefficientOf } from './tokens.ts';

/** What is asked for besides the tokens. */
export interface NearQuery {
  /** Documents whose coefficient is at least this. Above 0 the index answers; at 0 and below every list is read. */
  readonly threshold: number;
  /** The first document looked at; 0 when absent. */
  readonly from?: number;
  /** The document after the last one looked at; their number when absent. */
  readonly to?: number;
  /** At most so many of the best; all when absent. */
  readonly limit?: number;
}

interface Question {
  readonly sections: IndexSections;
  readonly threshold: number;
  readonly from: number;
  readonly to: number;
  readonly best: BestDocuments;
  /** How many tokens the query has, also those that no document has. */
  readonly size: number;
  /** Those that some document has, rarest first. */
  readonly known: readonly IndexedToken[];
  /** Of the known ones. */
  readonly signature: number;
}

/** The documents that reach the threshold, best first. Means nothing when `sections` turns out to be damaged. */
export const nearDocuments = (
  sections: IndexSections,
  query: NearQuery & { readonly tokens: readonly string[] },
): readonly NearDocument[] => {
  const { tokens, threshold, from = 0, to = sections.sizes.documents, limit = Number.POSITIVE_INFINITY } = query;
  const best = bestDocuments(limit);
  const distinct = new Set(tokens);
  const smallest = threshold > 0 ? smallestSize(distinct.size, threshold) : 0;
  const range = { from: Math.max(0, from), to: Math.min(sections.sizes.documents, to) };
  if (!(threshold <= 1 && range.from < range.to) || smallest > sections.sizes.largestDocument) return [];
  const known = knownTokens(sections, distinct);
  const signature = known.reduce((bits, { number }) => bits | bitOf(number), 0);
  const question: Question = { sections, threshold, ...range, best, size: distinct.size, known, signature };
  if (threshold <= 0) addAll(question);
  else if (distinct.size === 0) addEmpty(question);
  else addNear(question, smallest);
  return best.sorted();
};

const knownTokens = (sections: IndexSections, tokens: ReadonlySet<string>): IndexedToken[] => {
  const known: IndexedToken[] = [];
  for (const token of tokens) {
    const found = findToken(sections, token);
    if (found !== undefined) known.push(found);
  }
  return known.sort((a, b) => a.number - b.number);
};

/**
 * Documents that share `smallest` tokens with the query share one of its `size - smallest + 1` rarest, so only their
 * postings are read. Tokens that no document has are the rarest of all.
 */
const addNear = (question: Question, smallest: number): void => {
  const unknown = question.size - question.known.length;
  const largest = largestSize(question.size, question.threshold);
  const lists = listsOf(question);
  for (let place = 0; place <= question.size - smallest - unknown; place++) {
    const token = question.known[place];
    if (token !== undefined) addPostings(question, { token, place, smallest, largest, lists });
  }
};

/** Lists ascend with their documents. */
const listsOf = ({ sections, from, to }: Question): Prefix['lists'] => ({
  from: from > 0 ? sections.starts(from) : 0,
  to: to < sections.sizes.documents ? sections.starts(to) : Number.POSITIVE_INFINITY,
});

interface Prefix {
  readonly token: IndexedToken;
  /** Place of the token among the known ones. */
  readonly place: number;
  readonly smallest: number;
  readonly largest: number;
  /** Where the first list in the range starts, and the first one behind it. */
  readonly lists: { readonly from: number; readonly to: number };
}

/** Goes through the groups of one token: documents of one size with the token at one place of their lists. */
const addPostings = (question: Question, prefix: Prefix): void => {
  const { threshold, known, size: querySize } = question;
  const { postings, words } = question.sections;
  const { groups, start } = prefix.token;
  const sizeOf = (group: number): number => postings(start + group * groupWords);
  const firstGroup = firstAtLeast(sizeOf, { from: 0, to: groups, wanted: prefix.smallest });
  const rest = known.length - prefix.place - 1;
  let before = firstGroup === 0 ? 0 : postings(start + firstGroup * groupWords - 1);
  for (let group = firstGroup; group < groups && !words.isDamaged(); group++) {
    const size = sizeOf(group);
    if (size > prefix.largest) return;
    const behind = size - postings(start + group * groupWords + 1) - 1;
    const end = postings(start + group * groupWords + 2);
    if (behind < 0 || end <= before) words.markDamaged();
    const total = querySize + size;
    const needed = neededOverlap(total, threshold);
    // No more can be shared than what stands behind the first shared token on both sides.
    const most = 1 + Math.min(rest, behind);
    if (most >= needed) {
      const at = start + groups * groupWords;
      addGroup(question, {
        prefix,
        postings: at,
        from: before,
        to: end,
        size,
        needed,
        highest: coefficientOf(most, total),
      });
    }
    before = end;
  }
};

interface Group {
  readonly prefix: Prefix;
  /** Where the postings of the token start, and which of them are those of the group. */
  readonly postings: number;
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly needed: number;
  /** The best score that a document here can have. */
  readonly highest: number;
}

const addGroup = (question: Question, group: Group): void => {
  const { best, known, signature, sections } = question;
  const { postings, words } = sections;
  const { lists } = group.prefix;
  const listAt = (place: number): number => postings(group.postings + postingWords * place);
  const first = lists.from > 0 ? firstAtLeast(listAt, { ...group, wanted: lists.from }) : group.from;
  for (let place = first; place < group.to && !words.isDamaged(); place++) {
    const list = listAt(place);
    // Documents ascend here, so what is too late or too bad now stays so.
    if (list >= lists.to || !best.wouldKeep(list, group.highest)) return;
    const other = postings(group.postings + postingWords * place + 1);
    const most = Math.min(group.size - surelyMissing(other, signature), known.length - surelyMissing(signature, other));
    if (most < group.needed || !best.wouldKeep(list, coefficientOf(most, question.size + group.size))) continue;
    addDocument(question, { group, list });
  }
};

const addDocument = (
  { sections, known, size, best }: Question,
  { group, list }: { readonly group: Group; readonly list: number },
): void => {
  const { lists, sizes, words } = sections;
  const document = lists(list);
  const start = list + listWords;
  const end = start + group.size;
  if (document >= sizes.documents || end > sizes.lists) {
    words.markDamaged();
    return;
  }
  const shared = sharedTokens(lists, { known, start, end, first: group.prefix.place });
  if (shared >= group.needed) best.add({ document, place: list, score: coefficientOf(shared, size + group.size) });
};

interface Comparison {
  readonly known: readonly IndexedToken[];
  readonly start: number;
  readonly end: number;
  /** Only documents whose first shared token stands at this place of the query: the others were seen there before. */
  readonly first?: number;
}

/** How many of the known tokens are in the list from `start` to `end`; 0 where the first one is not the wanted. */
const sharedTokens = (lists: WordAt, { known, start, end, first }: Comparison): number => {
  let shared = 0;
  for (let left = 0, right = start; left < known.length && right < end; ) {
    const wanted = known[left]?.number ?? 0;
    const present = lists(right);
    if (wanted === present) {
      if (shared === 0 && first !== undefined && left !== first) return 0;
      shared += 1;
    }
    if (wanted <= present) left += 1;
    if (present <= wanted) right += 1;
  }
  return shared;
};

/** Reads every list in the range: only for thresholds that everything reaches. */
const addAll = ({ sections, known, size, from, to, best }: Question): void => {
  const { starts, lists, sizes, words } = sections;
  for (let document = from, list = starts(from); document < to && !words.isDamaged(); document++) {
    const [start, end] = [list + listWords, starts(document + 1)];
    if (end < start || end > sizes.lists) {
      words.markDamaged();
      return;
    }
    const shared = sharedTokens(lists, { known, start, end });
    best.add({ document, place: document, score: coefficientOf(shared, size + end - start) });
    list = end;
  }
};

const addEmpty = ({ sections, from, to, best }: Question): void => {
  const { emptyDocuments, sizes, words } = sections;
  const first = firstAtLeast(emptyDocuments, { from: 0, to: sizes.emptyDocuments, wanted: from });
  for (let at = first; at < sizes.emptyDocuments && !words.isDamaged(); at++) {
    const document = emptyDocuments(at);
    if (document >= to || !best.wouldKeep(document, 1)) return;
    best.add({ document, place: document, score: 1 });
  }
};

/** The first place whose word is at least `wanted`, of words that ascend. */
const firstAtLeast = (
  wordAt: WordAt,
  span: { readonly from: number; readonly to: number; readonly wanted: number },
): number => {
  let [low, high] = [span.from, span.to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (wordAt(middle) < span.wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};
