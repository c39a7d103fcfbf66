/** What stands beside a saved graph. */
export interface AnnManifest {
  readonly v: 1;
  readonly embedder: string;
  readonly dimensions: number;
  readonly source: string;
  /** How the graph was made, as text. */
  readonly graph: string;
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** The manifest as it is written. */
export const writtenManifest = (content: Omit<AnnManifest, 'v'>): string => `${JSON.stringify({ v: 1, ...content })}\n`;

/** Reads a manifest; nothing when it is not one of this version. */
export const readManifest = (text: string): AnnManifest | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const texts = ['embedder', 'source', 'graph', 'sha256'];
const numbers = ['dimensions', 'count', 'bytes'];

const isManifest = (value: unknown): value is AnnManifest => {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  return (
    fields.get('v') === 1 &&
    texts.every((name) => typeof fields.get(name) === 'string') &&
    numbers.every((name) => Number.isSafeInteger(fields.get(name)))
  );
};
