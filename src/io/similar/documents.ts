import type { ContextClass, StoredEntry } from '../../core/model/record.ts';
import type { ShellLanguage } from '../../core/similarity/language.ts';
import { tokenize } from '../../core/similarity/tokens.ts';
import { countingLines, digestOfLine, type TrustView } from '../stores/index-rows.ts';
import { isWidening, uselessBecause } from '../stores/line-rules.ts';
import type { FileSignature, RecordLine } from '../stores/rules-file.ts';
import type { RulesLocation } from '../stores/rules-location.ts';

/** One remembered call as the similarity tiers look at it. */
export interface SimilarDocument {
  readonly entry: Omit<StoredEntry, 'source' | 'scope'>;
  /** Number of the file in the location's list, and line. */
  readonly file: number;
  readonly line: number;
  readonly text: string;
  readonly context?: ContextClass;
  /** Epoch milliseconds; 0 is never. */
  readonly expiresMs: number;
  /** The digest of its shape; 0 without one. */
  readonly shape: number;
}

/** How documents are made. */
export interface DocumentSource {
  readonly location: RulesLocation;
  readonly trust: TrustView;
  readonly shell: () => ShellLanguage;
  /** The project, for shapes. Absolute paths. */
  readonly place: { readonly root: string; readonly home: string; readonly user: string };
}

/** Restrictions first, then allows by shape: what a guarded look-up wants lies together. */
export interface DocumentSet {
  readonly documents: readonly SimilarDocument[];
  /** How many of them, from the start, are asks and denies. */
  readonly restrictions: number;
  readonly signatures: readonly FileSignature[];
}

/** The documents of a location, as its files are now. */
export const documentsOf = (source: DocumentSource): DocumentSet => {
  const documents: SimilarDocument[] = [];
  const { signatures } = countingLines(source.location, source.trust.isTrusted, (line) => {
    const document = documentOf(line, source);
    if (document !== undefined) documents.push(document);
  });
  return { ...inOrder(documents), signatures };
};

/** The documents of lines that were added to a location; lines that do not count are left out. */
export const documentsIn = (lines: readonly RecordLine[], source: DocumentSource): readonly SimilarDocument[] => {
  const { location, trust } = source;
  return lines
    .filter(({ record }) => uselessBecause(record, location) === undefined)
    .filter((line) => !isWidening(line.record, location) || trust.isTrusted(digestOfLine(line)))
    .flatMap((line) => documentOf(line, source) ?? []);
};

/** Documents as an index holds them. */
export const inOrder = (documents: readonly SimilarDocument[]): Omit<DocumentSet, 'signatures'> => {
  const restrictions = documents.filter(({ entry }) => entry.verdict !== 'allow');
  const allows = documents.filter(({ entry }) => entry.verdict === 'allow').sort((a, b) => a.shape - b.shape);
  return { documents: [...restrictions, ...allows], restrictions: restrictions.length };
};

/** Nothing for overrides, which match by pattern, and for texts that redaction has made ambiguous. */
export const documentOf = ({ record, source: at }: RecordLine, source: DocumentSource): SimilarDocument | undefined => {
  if (record.pattern !== undefined) return undefined;
  if (record.decision === 'allow' && (record.lossy === true || record.slots !== undefined)) return undefined;
  const text = record.key.sanitized_input;
  const shape =
    record.decision === 'allow' && record.key.tool === 'Bash' ? shapeIn(text, record.context, source) : undefined;
  return {
    entry: {
      verdict: record.decision,
      tier: record.metadata.tier,
      tool: record.key.tool,
      role: record.key.role,
      ...(record.change === undefined ? {} : { change: record.change }),
      ...(record.slots === undefined ? {} : { generalised: true }),
    },
    file: source.location.files.findIndex(({ path }) => path === at.file),
    line: at.line,
    text,
    ...(record.context === undefined ? {} : { context: record.context }),
    expiresMs: record.expires_at === undefined ? 0 : Date.parse(record.expires_at),
    shape: shape === undefined ? 0 : shapeNumber(shape.text),
  };
};

const shapeIn = (text: string, context: ContextClass | undefined, { shell, place }: DocumentSource) => {
  if (context === 'outside') return undefined;
  const below = context?.startsWith('inside:') === true ? `/${context.slice('inside:'.length)}` : '';
  const shape = shell().shape(text, { ...place, cwd: `${place.root}${below}` });
  return shape.kind === 'shape' ? shape : undefined;
};

/** FNV-1a over code units: finds the place to look; shapes themselves are compared in full. Never 0. */
export const shapeNumber = (shape: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < shape.length; at++) hash = Math.imul(hash ^ shape.charCodeAt(at), 0x01000193);
  return hash >>> 0 || 1;
};

/** The words by which a document is found. */
export const tokensOf = ({ text }: Pick<SimilarDocument, 'text'>): readonly string[] => tokenize(text);
