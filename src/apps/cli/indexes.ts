import { statSync } from 'node:fs';
import { HookwiseError } from '../../core/model/errors.ts';
import { localEmbedder } from '../../core/similarity/embedder.ts';
import { buildLocationIndex, type LocationIndexOptions, openLocationIndex } from '../../io/similar/location-index.ts';
import { readStamp, stampPath } from '../../io/similar/stamp.ts';
import {
  exactIndexOf,
  type Project,
  type RulesLocation,
  rebuildExactIndex,
  remembered,
  type Surroundings,
} from '../compose.ts';

/** The files of one derived index. */
export interface IndexFiles {
  readonly files: readonly string[];
  readonly bytes: number;
}

/** `empty`: there is nothing to index. */
export type IndexState = 'fresh' | 'stale' | 'missing' | 'empty';

/** The derived indexes of one place of memory, as they are. */
export interface IndexStatus {
  readonly place: RulesLocation['kind'];
  readonly exact: IndexFiles & { readonly state: IndexState };
  readonly similar: IndexFiles & { readonly state: IndexState };
}

/** What making an index anew came to. `problem`: why it could not be written, or not be made at all. */
export interface BuiltIndex extends IndexFiles {
  readonly ms: number;
  readonly problem?: string;
}

/** The derived indexes of one place of memory, made anew. */
export interface BuiltIndexes {
  readonly place: RulesLocation['kind'];
  readonly entries: number;
  readonly exact: BuiltIndex;
  /** `calls`: the remembered calls that others can be like. */
  readonly similar: BuiltIndex & { readonly calls: number };
}

interface Place {
  readonly project: Project;
  readonly surroundings: Surroundings;
  readonly location: RulesLocation;
}

/** Looks at the indexes of every place of memory, and makes none anew. */
export const indexStates = (project: Project, surroundings: Surroundings): IndexStatus[] =>
  project.locations.map((location) => {
    const at = { project, surroundings, location };
    const known = exactIndexOf(project, location);
    const [exact, similar] = [filesOf(known.files), similarFiles(at)];
    const isEmpty = filesOf(location.files.map(({ path }) => path)).files.length === 0;
    const stateOf = (files: IndexFiles, isFresh: () => boolean): IndexState => {
      if (isEmpty) return 'empty';
      if (files.bytes === 0) return 'missing';
      return isFresh() ? 'fresh' : 'stale';
    };
    return {
      place: location.kind,
      exact: { ...exact, state: stateOf(exact, () => known.isFresh) },
      similar: { ...similar, state: stateOf(similar, () => isSimilarFresh(at)) },
    };
  });

/** Makes the indexes of some places anew, whatever is there. */
export const rebuildIndexes = (
  project: Project,
  surroundings: Surroundings,
  locations: readonly RulesLocation[],
): BuiltIndexes[] =>
  locations.map((location) => {
    const at = { project, surroundings, location };
    const [exact, similar] = [timed(() => buildExact(at)), timed(() => buildSimilar(at))];
    return {
      place: location.kind,
      entries: exact.result.made,
      exact: { ...filesOf(exactIndexOf(project, location).files), ms: exact.ms, ...problemIn(exact.result) },
      similar: { ...similarFiles(at), ms: similar.ms, calls: similar.result.made, ...problemIn(similar.result) },
    };
  });

interface Made {
  readonly made: number;
  readonly problem?: string | undefined;
}

const problemIn = ({ problem }: Made): { readonly problem?: string } => (problem === undefined ? {} : { problem });

/** One place that cannot be read does not keep the others from their indexes. */
const timed = (work: () => Made): { readonly ms: number; readonly result: Made } => {
  const start = performance.now();
  const result = ((): Made => {
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof HookwiseError) return { made: 0, problem: thrown.message };
      throw thrown;
    }
  })();
  return { ms: Math.round((performance.now() - start) * 10) / 10, result };
};

const buildExact = ({ project, surroundings, location }: Place): Made => {
  const problem = rebuildExactIndex(project, location, surroundings.now());
  return { made: remembered(project, location).entries.length, problem };
};

const buildSimilar = (at: Place): Made => {
  const index = buildLocationIndex(similarOptions(at));
  index.close();
  return { made: index.entries.documents, problem: index.notWritten };
};

const similarOptions = ({ project, surroundings, location }: Place): LocationIndexOptions => {
  const { key, trust, places, root, user } = project;
  const { shell, build } = surroundings;
  const place = { root: root.root, home: places.homes[0] ?? '/', user };
  return { location, key, trust, state: places.state, build, shell, place, embedder: localEmbedder() };
};

const isSimilarFresh = (at: Place): boolean => {
  const index = openLocationIndex(similarOptions(at));
  index?.close();
  return index !== undefined;
};

/** The stamp knows which files belong to the index. */
const similarFiles = ({ project: { key, places }, location }: Place): IndexFiles => {
  const stamp = readStamp(stampPath(places.state, location), key);
  return filesOf(stamp?.artefacts.map(({ path }) => path) ?? []);
};

const filesOf = (paths: readonly string[]): IndexFiles => {
  const sizes = paths.flatMap((path) => {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    return size === undefined ? [] : [{ path, size }];
  });
  return { files: sizes.map(({ path }) => path), bytes: sizes.reduce((sum, { size }) => sum + size, 0) };
};
