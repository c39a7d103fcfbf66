import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../core/model/errors.ts';
import type { CompiledPolicy } from '../../core/model/policy.ts';
import { type PackedPolicy, packPolicy, unpackPolicy } from '../../core/policy/packing.ts';
import { digestHex, sealHex } from './digests.ts';
import { markOf, projectDirectory, type ReadSource, readSource, type SourceState } from './sources.ts';

/** Where policy comes from, and what counts. */
export interface PolicyPlaces {
  /** The project root; without one only user and organisation configuration applies. */
  readonly root: string | undefined;
  readonly configDir: string;
  readonly projectDir: '.hookwise' | '.captain-hook';
  /** `host/owner` of the repository's git remotes: they select among organisations. */
  readonly remotes: readonly string[];
  readonly isTrusted: (digest: string) => boolean;
}

/** Parses and merges all sources; asks `read` for each of them. */
export type CompileSources = (places: PolicyPlaces, read: ReadSource) => CompiledPolicy;

export interface LoadOptions extends Omit<PolicyPlaces, 'projectDir'> {
  readonly stateDir: string;
  /** Changes whenever `isTrusted` would answer differently. */
  readonly trustSignature: string;
  /** The per-user key that authenticates the cache. */
  readonly key: Uint8Array;
  /** Identifies the program that wrote the cache: another program, with other built-in rules, compiles anew. */
  readonly build: string;
  /** Fetches the compiler; called only when the cache does not hold. */
  readonly loadCompiler: () => CompileSources;
}

export interface LoadedPolicy {
  readonly policy: CompiledPolicy;
  /** `unsaved`: the policy was rebuilt and will be again next time, for the reason given. */
  readonly cache: CacheUse;
}

type CacheUse = { readonly kind: 'hit' | 'rebuilt' } | { readonly kind: 'unsaved'; readonly why: string };

const format = 1;
const largestCache = 16 * 1024 * 1024;

interface CacheBody {
  /** Everything besides file contents that the policy depends on. */
  readonly selector: string;
  readonly sources: readonly (readonly [path: string, mark: string])[];
  readonly policy: PackedPolicy;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const cacheFile = ({ stateDir, root }: LoadOptions): string =>
  join(stateDir, 'compiled', `${digestHex(bytesOf(root ?? ''))}.json`);

const selectorOf = (options: LoadOptions, projectDir: string): string => {
  const { root = null, configDir, remotes, trustSignature, build } = options;
  return JSON.stringify([format, build, root, configDir, projectDir, remotes, trustSignature]);
};

/** The body of a cache whose seal verifies; anything else is as good as none. */
const openCache = (options: LoadOptions): CacheBody | undefined => {
  const state = readSource(cacheFile(options), largestCache);
  if (state.kind !== 'bytes') return undefined;
  const text = new TextDecoder().decode(state.bytes);
  const end = text.indexOf('\n');
  const body = text.slice(end + 1);
  if (end < 0 || text.slice(0, end) !== sealHex(options.key, bytesOf(body))) return undefined;
  // The seal proves that this program wrote the body, so its shape is known.
  const opened: CacheBody = JSON.parse(body);
  return opened;
};

const isFresh = (body: CacheBody, selector: string): boolean =>
  body.selector === selector && body.sources.every(([path, mark]) => markOf(readSource(path)) === mark);

/** A cache that cannot be written costs time, nothing else: the caller learns why. */
const saveCache = (options: LoadOptions, body: CacheBody): CacheUse => {
  const file = cacheFile(options);
  const temporary = `${file}.${process.pid}.tmp`;
  const text = JSON.stringify(body);
  try {
    mkdirSync(join(options.stateDir, 'compiled'), { recursive: true, mode: 0o700 });
    rmSync(temporary, { force: true });
    writeFileSync(temporary, `${sealHex(options.key, bytesOf(text))}\n${text}`, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
    return { kind: 'rebuilt' };
  } catch (thrown) {
    return { kind: 'unsaved', why: messageOf(thrown) };
  }
};

/** The policy that is in force now: from the cache when every source is as it was, else compiled anew. */
export const loadPolicy = (options: LoadOptions): LoadedPolicy => {
  const { root, configDir, remotes, isTrusted } = options;
  const projectDir = root === undefined ? '.hookwise' : projectDirectory(root);
  const selector = selectorOf(options, projectDir);
  const cached = openCache(options);
  if (cached !== undefined && isFresh(cached, selector))
    return { policy: unpackPolicy(cached.policy), cache: { kind: 'hit' } };
  const seen = new Map<string, SourceState>();
  const read: ReadSource = (path) => {
    const state = seen.get(path) ?? readSource(path);
    seen.set(path, state);
    return state;
  };
  const policy = options.loadCompiler()({ root, configDir, projectDir, remotes, isTrusted }, read);
  const sources = [...seen].map(([path, state]) => [path, markOf(state)] as const);
  return { policy, cache: saveCache(options, { selector, sources, policy: packPolicy(policy) }) };
};
