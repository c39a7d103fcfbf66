import { groupWords, listWords, postingWords } from './token-index-layout.ts';
import { inOrderOf, type NumberedDocuments, runningSums } from './token-index-number.ts';
import { bitOf } from './token-index-signature.ts';

/** How the postings will lie: for each token first its groups, then the documents of all of them. */
export interface PostingsPlan {
  /** Where each token's postings start; one more than there are tokens. */
  readonly starts: Uint32Array;
  /** How many groups each token has. */
  readonly groups: Uint32Array;
  /** The documents by size, those of one size by number. */
  readonly bySize: Uint32Array;
  readonly emptyDocuments: Uint32Array;
  readonly largestDocument: number;
}

/** Counts what the postings need. */
export const planPostings = (documents: NumberedDocuments): PostingsPlan => {
  const { starts, frequencies } = documents;
  const sizes = Uint32Array.from(starts.subarray(1), (end, document) => end - (starts[document] ?? 0));
  const bySize = inOrderOf(sizes);
  const sizeAt = (place: number): number => sizes[bySize[place] ?? 0] ?? 0;
  let empty = 0;
  while (empty < bySize.length && sizeAt(empty) === 0) empty += 1;
  const tokenOf = tokensOf(documents);
  const groups = new Uint32Array(frequencies.length);
  const lastGroup = new Uint32Array(frequencies.length);
  eachGroup(
    documents.starts,
    bySize,
  )((group) => {
    for (const document of group.documents) {
      const token = tokenOf(document, group.position);
      if (lastGroup[token] === group.number) continue;
      lastGroup[token] = group.number;
      groups[token] = (groups[token] ?? 0) + 1;
    }
  });
  return {
    starts: runningSums(
      frequencies.map((frequency, token) => postingWords * frequency + groupWords * (groups[token] ?? 0)),
    ),
    groups,
    bySize,
    emptyDocuments: bySize.subarray(0, empty),
    largestDocument: bySize.length === 0 ? 0 : sizeAt(bySize.length - 1),
  };
};

/** Writes the postings section. */
export const writePostings = (
  words: Uint32Array,
  { documents, plan }: { readonly documents: NumberedDocuments; readonly plan: PostingsPlan },
): void => {
  const tokenOf = tokensOf(documents);
  const signatures = signaturesOf(documents);
  const lastGroup = new Uint32Array(plan.groups.length);
  const nextGroup = plan.starts.slice();
  const written = new Uint32Array(plan.groups.length);
  eachGroup(
    documents.starts,
    plan.bySize,
  )((group) => {
    for (const document of group.documents) {
      const token = tokenOf(document, group.position);
      const start = plan.starts[token] ?? 0;
      if (lastGroup[token] !== group.number) {
        lastGroup[token] = group.number;
        const at = nextGroup[token] ?? 0;
        words[at] = group.size;
        words[at + 1] = group.position;
        nextGroup[token] = at + groupWords;
      }
      const count = written[token] ?? 0;
      const posting = start + groupWords * (plan.groups[token] ?? 0) + postingWords * count;
      words[posting] = (documents.starts[document] ?? 0) + listWords * document;
      words[posting + 1] = signatures[document] ?? 0;
      written[token] = count + 1;
      words[(nextGroup[token] ?? 0) - 1] = count + 1;
    }
  });
};

const signaturesOf = ({ starts, lists }: NumberedDocuments): Uint32Array => {
  const signatures = new Uint32Array(starts.length - 1);
  for (let document = 0; document < signatures.length; document++) {
    let signature = 0;
    for (let at = starts[document] ?? 0; at < (starts[document + 1] ?? 0); at++) signature |= bitOf(lists[at] ?? 0);
    signatures[document] = signature;
  }
  return signatures;
};

/** The documents of one size and one place of their lists. */
interface Group {
  /** Counts from 1. */
  readonly number: number;
  readonly size: number;
  readonly position: number;
  readonly documents: Uint32Array;
}

/** Every posting in the order in which each token keeps them: by size, then by place, then by document. */
const eachGroup =
  (starts: Uint32Array, bySize: Uint32Array) =>
  (visit: (group: Group) => void): void => {
    const sizeOf = (document = 0): number => (starts[document + 1] ?? 0) - (starts[document] ?? 0);
    let number = 0;
    for (let from = 0, to = 0; from < bySize.length; from = to) {
      const size = sizeOf(bySize[from]);
      while (to < bySize.length && sizeOf(bySize[to]) === size) to += 1;
      const documents = bySize.subarray(from, to);
      for (let position = 0; position < size; position++) {
        number += 1;
        visit({ number, size, position, documents });
      }
    }
  };

const tokensOf =
  ({ starts, lists }: NumberedDocuments) =>
  (document: number, position: number): number =>
    lists[(starts[document] ?? 0) + position] ?? 0;
