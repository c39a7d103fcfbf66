import type { DecisionRecord } from '../../core/model/record.ts';
import type { Embedder, EmbeddingInput, LocalEmbedder } from '../../core/similarity/embedder.ts';
import {
  type Accepts,
  type EmbeddingNeighbour,
  isOfOneCall,
  type RecordVectors,
  recordVectors,
} from './record-vectors.ts';

/** What counts as near. */
export interface EmbeddingSimilarityOptions<Kind extends Embedder> {
  readonly embedder: Kind;
  /** The smallest cosine of a neighbour; 0.85 is the default of the settings. */
  readonly threshold: number;
  /** What the embedder sees of a record; its tool and its text unless said otherwise. */
  readonly inputOf?: (record: DecisionRecord) => EmbeddingInput;
}

/** Methods that need no embedding. */
interface Common {
  /** The index as bytes. */
  readonly saveIndex: () => Uint8Array;
  /**
   * Takes over an index that was saved for exactly these records by an embedder of the same name. False, and nothing
   * changes, where it is of others, older or damaged: then `buildIndex` makes a new one.
   */
  readonly loadIndex: (bytes: Uint8Array, records: Iterable<DecisionRecord>) => boolean;
  /** Forgets what was decided for exactly this role; says how many. Entries for every role stay. */
  readonly invalidateRole: (role: string) => number;
  /** Forgets everything; says how many. */
  readonly invalidateAll: () => number;
}

/** Remembered decisions in memory, found by the nearness of their vectors. It finds; it does not decide. */
export interface EmbeddingSimilarity extends Common {
  /** Forgets everything and remembers these. Overrides and generalised entries are left out. */
  readonly buildIndex: (records: Iterable<DecisionRecord>) => void;
  /** Adds one record, in place of an older one about the same call in the same scope. */
  readonly insert: (record: DecisionRecord) => void;
  readonly embed: (call: EmbeddingInput) => Int8Array;
  /**
   * The nearest record at or above the threshold, of any tool, role and scope, in force or not, unless `accepts` says
   * otherwise.
   */
  readonly search: (call: EmbeddingInput, accepts?: Accepts) => EmbeddingNeighbour | undefined;
  /** All of them, best first, of equals the first added. */
  readonly neighbours: (call: EmbeddingInput, accepts?: Accepts) => readonly EmbeddingNeighbour[];
}

/** The same for an embedder that takes its time; what it rejects with is passed on. */
export interface ModelSimilarity extends Common {
  readonly buildIndex: (records: Iterable<DecisionRecord>) => Promise<void>;
  readonly insert: (record: DecisionRecord) => Promise<void>;
  readonly embed: (call: EmbeddingInput) => Promise<Int8Array>;
  readonly search: (call: EmbeddingInput, accepts?: Accepts) => Promise<EmbeddingNeighbour | undefined>;
  readonly neighbours: (call: EmbeddingInput, accepts?: Accepts) => Promise<readonly EmbeddingNeighbour[]>;
}

/** An empty memory that embeds by itself. */
export const embeddingSimilarity = (options: EmbeddingSimilarityOptions<LocalEmbedder>): EmbeddingSimilarity => {
  const { embedder, inputOf = textOf } = options;
  const vectors = recordVectors(options);
  const insert = (record: DecisionRecord): void => {
    if (isOfOneCall(record)) vectors.put(record, embedder.embed(inputOf(record)));
  };
  const neighbours: EmbeddingSimilarity['neighbours'] = (call, accepts) =>
    vectors.nearest(embedder.embed(call), accepts);
  return {
    ...commonOf(vectors),
    buildIndex: (records) => {
      vectors.drop(() => true);
      for (const record of records) insert(record);
    },
    insert,
    embed: (call) => embedder.embed(call),
    neighbours,
    search: (call, accepts) => neighbours(call, accepts)[0],
  };
};

/** An empty memory that embeds with a model. Records are embedded one after the other. */
export const modelSimilarity = (options: EmbeddingSimilarityOptions<Embedder>): ModelSimilarity => {
  const { embedder, inputOf = textOf } = options;
  const vectors = recordVectors(options);
  const insert = async (record: DecisionRecord): Promise<void> => {
    if (isOfOneCall(record)) vectors.put(record, await embedder.embed(inputOf(record)));
  };
  const neighbours: ModelSimilarity['neighbours'] = async (call, accepts) =>
    vectors.nearest(await embedder.embed(call), accepts);
  return {
    ...commonOf(vectors),
    buildIndex: async (records) => {
      vectors.drop(() => true);
      for (const record of records) await insert(record);
    },
    insert,
    embed: async (call) => embedder.embed(call),
    neighbours,
    search: async (call, accepts) => (await neighbours(call, accepts))[0],
  };
};

const textOf = ({ key }: DecisionRecord): EmbeddingInput => ({ tool: key.tool, text: key.sanitized_input });

const commonOf = (vectors: RecordVectors): Common => ({
  saveIndex: vectors.save,
  loadIndex: vectors.load,
  invalidateRole: (role) => vectors.drop((record) => record.key.role === role),
  invalidateAll: () => vectors.drop(() => true),
});
