import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { learnTargetFromJson } from '../../core/model/learn-target.ts';
import type { LearnTarget } from '../../core/model/queue.ts';
import type { JsonObject } from '../../core/model/request.ts';
import { isSessionId } from '../../core/model/session.ts';
import { isJsonObject } from '../../core/model/strict-json.ts';
import { removeIfThere, writeAtomic } from '../files/atomic-write.ts';
import { ensurePrivateDirectory } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';
import { keyedDigest, sameDigest } from './user-key.ts';

/** A question that the host put to a person by its own prompt: what the answer will mean when the call comes back. */
export interface NativeAsk {
  readonly toolUseId: string;
  readonly rule: string;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  readonly queueId?: string;
  /** Absent when the answer may count once only. */
  readonly learn?: LearnTarget;
  /** The words of a hookwise command that the person is asked to let the agent run. */
  readonly control?: readonly string[];
}

/** Open native questions of every session: `<state>/native/<session>/<tool use>.json`. */
export interface NativeAsks {
  readonly put: (sessionId: string, ask: NativeAsk) => void;
  /** Reads and removes the question of one call. */
  readonly take: (sessionId: string, toolUseId: string) => NativeAsk | undefined;
  readonly list: (sessionId: string) => readonly NativeAsk[];
  readonly clear: (sessionId: string) => void;
}

const isToolUseId = (text: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(text);

const largestAsk = 256 * 1024;

/** The open questions under `state`, each sealed with the user's key: what hookwise did not write does not count. */
export const nativeAsks = ({ state, key }: { readonly state: string; readonly key: Uint8Array }): NativeAsks => {
  const top = join(state, 'native');
  const directoryOf = (sessionId: string): string | undefined =>
    isSessionId(sessionId) ? join(top, sessionId) : undefined;
  const read = (sessionId: string, name: string): NativeAsk | undefined =>
    readAsk(join(top, sessionId, name), { key, sessionId });
  return {
    put: (sessionId, ask) => {
      const directory = directoryOf(sessionId);
      if (directory === undefined || !isToolUseId(ask.toolUseId)) return;
      ensurePrivateDirectory(top);
      ensurePrivateDirectory(directory);
      writeAtomic(join(directory, `${ask.toolUseId}.json`), seal(ask, { key, sessionId }), { durable: false });
    },
    take: (sessionId, toolUseId) => {
      const directory = directoryOf(sessionId);
      if (directory === undefined || !isToolUseId(toolUseId)) return undefined;
      const ask = read(sessionId, `${toolUseId}.json`);
      if (!removeIfThere(join(directory, `${toolUseId}.json`))) return undefined;
      return ask;
    },
    list: (sessionId) => {
      const directory = directoryOf(sessionId);
      return directory === undefined ? [] : namesIn(directory).flatMap((name) => read(sessionId, name) ?? []);
    },
    clear: (sessionId) => {
      const directory = directoryOf(sessionId);
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
};

interface Seal {
  readonly key: Uint8Array;
  readonly sessionId: string;
}

const macOf = (body: string, { key, sessionId }: Seal): string => keyedDigest(key, `native\n${sessionId}\n${body}`);

const seal = (ask: NativeAsk, with_: Seal): string => {
  const body = JSON.stringify(ask);
  return JSON.stringify({ mac: macOf(body, with_), body });
};

const namesIn = (directory: string): string[] =>
  statSync(directory, { throwIfNoEntry: false }) === undefined
    ? []
    : readdirSync(directory).filter((name) => name.endsWith('.json'));

/** A question that cannot be read, or that somebody else wrote, teaches nothing. */
const readAsk = (file: string, sealed: Seal): NativeAsk | undefined => {
  const bytes = readPrivate(file, { maxBytes: largestAsk });
  const outer = parse(bytes?.toString('utf8'));
  if (outer === undefined || typeof outer.body !== 'string' || typeof outer.mac !== 'string') return undefined;
  if (!sameDigest(outer.mac, macOf(outer.body, sealed))) return undefined;
  const ask = parse(outer.body);
  return ask === undefined ? undefined : asAsk(ask);
};

const parse = (text: string | undefined): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const asAsk = (value: JsonObject): NativeAsk | undefined => {
  const { toolUseId, rule, askedAt, queueId, control } = value;
  if (typeof toolUseId !== 'string' || typeof rule !== 'string' || typeof askedAt !== 'number') return undefined;
  const learn = learnTargetFromJson(value.learn);
  const words = Array.isArray(control) ? control.filter((word) => typeof word === 'string') : undefined;
  return {
    toolUseId,
    rule,
    askedAt,
    ...(typeof queueId === 'string' ? { queueId } : {}),
    ...(learn === undefined ? {} : { learn }),
    ...(words === undefined ? {} : { control: words }),
  };
};
