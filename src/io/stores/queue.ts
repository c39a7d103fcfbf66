import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errors, messageOf } from '../../core/model/errors.ts';
import { pendingFromJson, responseFromJson } from '../../core/model/pending-from-json.ts';
import type { HumanResponse, PendingDecision } from '../../core/model/queue.ts';
import { fail, ok, type Result } from '../../core/model/result.ts';
import { parseStrictJson } from '../../core/model/strict-json.ts';
import { removeIfThere, writeAtomic, writeExclusive } from '../files/atomic-write.ts';
import { withLock } from '../files/lock.ts';
import { checkPrivateDirectory, ensurePrivateDirectory } from '../files/private-directory.ts';
import { readPrivate } from '../files/read-private.ts';
import { waitForFile } from './queue-wait.ts';

const maxBytes = 512 * 1024;
const mostPerSession = 200;
const mostInAll = 2000;
const idPattern = /^[a-z2-7]{26}$/;

/** A queue file that cannot be used. */
export interface QueueProblem {
  readonly file: string;
  readonly reason: string;
}

export type RespondFailure = 'unknown' | 'expired' | 'already-answered' | 'own-session';

/** An item that left the queue unanswered, or answered too late for the call that asked. */
export interface ClosedItem {
  readonly item: PendingDecision;
  readonly response?: HumanResponse;
}

export interface QueueStore {
  /** Files an item under a fresh id. Throws when its session, or everybody together, has too many. */
  readonly enqueue: (item: Omit<PendingDecision, 'id'>, now: number) => PendingDecision;
  /** Unanswered items that have not expired, oldest first. */
  readonly listPending: (now: number) => {
    readonly items: readonly PendingDecision[];
    readonly problems: readonly QueueProblem[];
  };
  readonly getPending: (id: string) => PendingDecision | undefined;
  /** Files an answer; the first one wins. `bySession`: the agent session the answer comes from, if it comes from one. */
  readonly respond: (
    id: string,
    answer: { readonly response: HumanResponse; readonly now: number; readonly bySession?: string },
  ) => Result<PendingDecision, RespondFailure>;
  /** Hands out the answer and closes the item: once. */
  readonly takeResponse: (id: string) => HumanResponse | undefined;
  /** The answer, or nothing at `deadline` (epoch ms): then the item is still there, for `withdraw` or a late answer. */
  readonly waitForResponse: (id: string, deadline: number) => Promise<HumanResponse | undefined>;
  /** Takes an item out, with the answer if one came at the last moment. */
  readonly withdraw: (id: string) => ClosedItem | undefined;
  /** Takes out everything that expired, for the log. An expired item counts as denied. */
  readonly removeExpired: (now: number) => readonly ClosedItem[];
}

interface Place {
  readonly state: string;
  readonly directory: string;
}

/** The queue of calls that wait for a person: one file per item under `<state>/queue/`, its answer beside it. */
export const queueStore = ({ state }: { readonly state: string }): QueueStore => {
  const place: Place = { state, directory: join(state, 'queue') };
  return {
    enqueue: (item, now) => locked(place, () => enqueue(place, item, now)),
    listPending: (now) => {
      const { items, problems } = readAll(place);
      const open = items.filter((item) => !isExpired(item, now) && !isAnswered(place, item.id));
      return { items: open.sort(byAge), problems };
    },
    getPending: (id) => readItem(place, id),
    respond: (id, answer) => (exists(place, id) ? locked(place, () => respond(place, id, answer)) : fail('unknown')),
    takeResponse: (id) => (isAnswered(place, id) ? locked(place, () => take(place, id)?.response) : undefined),
    waitForResponse: async (id, deadline) => {
      if (!idPattern.test(id)) return undefined;
      const answered = await waitForFile({ path: answerPath(place, id), deadline, mayEnd: () => !exists(place, id) });
      return answered ? locked(place, () => take(place, id)?.response) : undefined;
    },
    withdraw: (id) => (exists(place, id) ? locked(place, () => take(place, id)) : undefined),
    removeExpired: (now) => {
      const expired = readAll(place).items.filter((item) => isExpired(item, now));
      const orphans = orphanAnswers(place);
      if (expired.length === 0 && orphans.length === 0) return [];
      return locked(place, () => {
        for (const id of orphans) if (!exists(place, id)) removeIfThere(answerPath(place, id));
        return expired.flatMap(({ id }) => take(place, id) ?? []);
      });
    },
  };
};

const locked = <T>(place: Place, work: () => T): T => {
  ensurePrivateDirectory(place.state);
  ensurePrivateDirectory(place.directory);
  return withLock(join(place.directory, '.lock'), {}, work);
};

const itemPath = (place: Place, id: string): string => join(place.directory, `${id}.json`);
const answerPath = (place: Place, id: string): string => join(place.directory, `${id}.answer.json`);

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
const exists = (place: Place, id: string): boolean => idPattern.test(id) && isThere(itemPath(place, id));
const isAnswered = (place: Place, id: string): boolean => idPattern.test(id) && isThere(answerPath(place, id));

const isExpired = (item: PendingDecision, now: number): boolean => !(Date.parse(item.expires_at) > now);
const byAge = (a: PendingDecision, b: PendingDecision): number =>
  a.queued_at === b.queued_at ? (a.id < b.id ? -1 : 1) : a.queued_at < b.queued_at ? -1 : 1;

const enqueue = (place: Place, fields: Omit<PendingDecision, 'id'>, now: number): PendingDecision => {
  const checked = pendingFromJson({ ...fields, id: newId() });
  if (!checked.ok) throw errors.storage(`this call cannot be queued: its item ${checked.error}`);
  const waiting = readAll(place).items.filter((item) => !isExpired(item, now));
  const own = waiting.filter((item) => item.session_id === fields.session_id).length;
  if (own >= mostPerSession)
    throw errors.storage(`this session already has ${own} calls waiting for a person; answer them first`);
  if (waiting.length >= mostInAll)
    throw errors.storage(`${waiting.length} calls are waiting for a person; answer them first`);
  writeAtomic(itemPath(place, checked.value.id), `${JSON.stringify(checked.value, null, 2)}\n`, { durable: true });
  return checked.value;
};

const respond: (
  place: Place,
  id: string,
  answer: Parameters<QueueStore['respond']>[1],
) => Result<PendingDecision, RespondFailure> = (place, id, { response, now, bySession }) => {
  const item = readItem(place, id);
  if (item === undefined) return fail('unknown');
  if (bySession === item.session_id) return fail('own-session');
  if (isExpired(item, now)) return fail('expired');
  const checked = responseFromJson(response);
  if (!checked.ok) throw errors.storage(`this answer cannot be stored: it ${checked.error}`);
  const first = writeExclusive(answerPath(place, id), `${JSON.stringify(checked.value)}\n`, { durable: true });
  return first ? ok(item) : fail('already-answered');
};

/** The answer goes last: a crash in between must not leave an item that looks unanswered. */
const take = (place: Place, id: string): ClosedItem | undefined => {
  const item = readItem(place, id);
  const response = readAnswer(place, id);
  removeIfThere(itemPath(place, id));
  removeIfThere(answerPath(place, id));
  if (item === undefined) return undefined;
  return response === undefined ? { item } : { item, response };
};

/** A damaged answer is no answer. */
const readAnswer = (place: Place, id: string): HumanResponse | undefined => {
  const parsed = readJson(answerPath(place, id));
  const response = parsed?.ok ? responseFromJson(parsed.value) : undefined;
  return response?.ok ? response.value : undefined;
};

const readItem = (place: Place, id: string): PendingDecision | undefined => {
  if (!idPattern.test(id)) return undefined;
  const item = itemFrom(place, id);
  return item?.ok ? item.value : undefined;
};

const itemFrom = (place: Place, id: string): Result<PendingDecision, string> | undefined => {
  const parsed = readJson(itemPath(place, id));
  if (parsed === undefined || !parsed.ok) return parsed;
  const item = pendingFromJson(parsed.value);
  return item.ok && item.value.id !== id ? fail('carries the id of another item') : item;
};

/** The JSON in a file; `undefined` when there is no file. */
const readJson = (path: string): Result<unknown, string> | undefined => {
  try {
    const bytes = readPrivate(path, { maxBytes });
    return bytes === undefined ? undefined : parseStrictJson(bytes.toString('utf8'));
  } catch (thrown) {
    return fail(messageOf(thrown));
  }
};

const readAll = (place: Place): { items: PendingDecision[]; problems: QueueProblem[] } => {
  const items: PendingDecision[] = [];
  const problems: QueueProblem[] = [];
  if (!checkPrivateDirectory(place.directory)) return { items, problems };
  for (const name of readdirSync(place.directory)) {
    const id = name.slice(0, -'.json'.length);
    if (!name.endsWith('.json') || !idPattern.test(id)) continue;
    const item = itemFrom(place, id);
    if (item?.ok) items.push(item.value);
    else if (item !== undefined) problems.push({ file: itemPath(place, id), reason: item.error });
  }
  return { items, problems };
};

/** Answers whose item is gone: their taker was killed on the way. */
const orphanAnswers = (place: Place): string[] =>
  (checkPrivateDirectory(place.directory) ? readdirSync(place.directory) : [])
    .filter((name) => name.endsWith('.answer.json'))
    .map((name) => name.slice(0, -'.answer.json'.length))
    .filter((id) => idPattern.test(id) && !exists(place, id));

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** 130 random bits: nobody guesses the id of an item they were not shown. */
const newId = (): string =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(26)), (byte) => alphabet[byte & 31]).join('');
