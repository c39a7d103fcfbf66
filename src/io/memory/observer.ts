import type { FactQuery, Facts, PathFact } from '../../core/model/facts.ts';
import type { SourceRef, StoredEntry, StoredOverride } from '../../core/model/record.ts';
import type { Observer } from '../../core/ports.ts';
import { observePath } from '../observe/path-facts.ts';
import { type EntryIndex, openIndex } from '../stores/entry-index.ts';
import type { LineProblem } from '../stores/rules-file.ts';
import type { RulesLocation } from '../stores/rules-location.ts';
import type { TrustStore } from '../stores/trust.ts';

/** What the observer looks at. */
export interface ObserverOptions {
  readonly locations: readonly RulesLocation[];
  readonly state: string;
  readonly key: Uint8Array;
  readonly trust: TrustStore;
  readonly digest: (keyText: string) => string;
  readonly now: () => number;
}

/** An observer that also tells what was wrong with the memory it read. */
export interface MemoryObserver extends Observer {
  readonly problems: () => readonly LineProblem[];
  readonly close: () => void;
}

/** Answers from the disk as it is when asked. Indexes are opened at the first question about memory. */
export const machineObserver = (options: ObserverOptions): MemoryObserver => {
  let opened: readonly EntryIndex[] | undefined;
  const indexes = (): readonly EntryIndex[] => {
    opened ??= options.locations.map((location) =>
      openIndex({ location, state: options.state, key: options.key, trust: options.trust, now: options.now() }),
    );
    return opened;
  };
  const observe = (queries: readonly FactQuery[]): Facts => {
    const paths = new Map<string, PathFact>();
    const entries: StoredEntry[] = [];
    let overrides: readonly StoredOverride[] = [];
    let damaged: SourceRef | undefined;
    for (const query of queries) {
      switch (query.kind) {
        case 'path':
          if (!paths.has(query.path)) paths.set(query.path, observePath(query.path));
          break;
        case 'entries': {
          const digests = query.keyTexts.map(options.digest);
          for (const index of indexes()) entries.push(...index.find(digests));
          overrides = indexes().flatMap((index) => index.overrides);
          damaged = indexes().find((index) => index.restrictionsDamaged !== undefined)?.restrictionsDamaged;
          break;
        }
      }
    }
    return { paths, entries, overrides, ...(damaged === undefined ? {} : { restrictionsDamaged: damaged }) };
  };
  return {
    observe,
    problems: () => indexes().flatMap((index) => index.problems),
    close: () => {
      for (const index of opened ?? []) index.close();
      opened = undefined;
    },
  };
};
