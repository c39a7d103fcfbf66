import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scratch } from '../files/scratch.cases.ts';
import { type QueueStore, queueStore } from './queue.ts';
import { answer, noon, pending } from './stores.cases.ts';

const setup = (): { queue: QueueStore; directory: string } => {
  const state = join(scratch(), 'state');
  return { queue: queueStore({ state }), directory: join(state, 'queue') };
};
const later = noon + 60_000;

describe('the queue', () => {
  it('carries a call to a person and the answer back, once', () => {
    const { queue, directory } = setup();
    const item = queue.enqueue(
      pending({ ask_reason: 'why', recommendation: { decision: 'deny', confidence: 0.35, reason: 'prod' } }),
      noon,
    );
    expect(item.id).toMatch(/^[a-z2-7]{26}$/);
    expect(statSync(join(directory, `${item.id}.json`)).mode & 0o777).toBe(0o600);
    expect(queue.listPending(noon)).toEqual({ items: [item], problems: [] });
    expect([queue.getPending(item.id), queue.takeResponse(item.id)]).toEqual([item, undefined]);
    expect(queue.respond(item.id, { response: answer(), now: noon })).toEqual({ ok: true, value: item });
    expect(queue.listPending(noon).items).toEqual([]);
    expect(queue.takeResponse(item.id)).toEqual(answer());
    expect([queue.takeResponse(item.id), queue.getPending(item.id)]).toEqual([undefined, undefined]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('keeps the first answer', () => {
    const { queue } = setup();
    const { id } = queue.enqueue(pending(), noon);
    queue.respond(id, { response: answer({ decision: 'deny' }), now: noon });
    expect(queue.respond(id, { response: answer(), now: noon })).toEqual({ ok: false, error: 'already-answered' });
    expect(queue.takeResponse(id)?.decision).toBe('deny');
  });

  it('takes no answer from the session that asks, for what it does not know, or too late', () => {
    const { queue } = setup();
    const { id } = queue.enqueue(pending(), noon);
    expect(queue.respond(id, { response: answer(), now: noon, bySession: 's-1' })).toEqual({
      ok: false,
      error: 'own-session',
    });
    expect(queue.respond(id, { response: answer(), now: later })).toEqual({ ok: false, error: 'expired' });
    for (const wrong of ['a'.repeat(26), '../key', `${id}.answer`, '']) {
      expect(queue.respond(wrong, { response: answer(), now: noon })).toEqual({ ok: false, error: 'unknown' });
    }
    expect(queue.respond(id, { response: answer(), now: noon, bySession: 's-2' }).ok).toBe(true);
  });

  it('hands out what expired, with a late answer, and forgets it', () => {
    const { queue, directory } = setup();
    const [silent, answered, open] = [
      queue.enqueue(pending(), noon),
      queue.enqueue(pending(), noon),
      queue.enqueue(pending({ expires_at: '2026-03-02T00:00:00Z' }), noon),
    ];
    queue.respond(answered.id, { response: answer(), now: noon });
    writeFileSync(join(directory, `${'a'.repeat(26)}.answer.json`), '{}', { mode: 0o600 });
    expect(queue.listPending(later).items).toEqual([open]);
    const closed = queue.removeExpired(later);
    expect(closed).toHaveLength(2);
    expect(closed).toEqual(expect.arrayContaining([{ item: silent }, { item: answered, response: answer() }]));
    expect(readdirSync(directory)).toEqual([`${open.id}.json`]);
    expect(queue.withdraw(open.id)).toEqual({ item: open });
    expect(queue.withdraw(open.id)).toBeUndefined();
  });

  it('lists the oldest first', () => {
    const { queue } = setup();
    for (const second of [5, 1, 3]) queue.enqueue(pending({ queued_at: `2026-03-01T12:00:0${second}Z` }), noon);
    expect(queue.listPending(noon).items.map((item) => item.queued_at.at(-2))).toEqual(['1', '3', '5']);
  });

  it('holds 200 open calls of one session, and still those of another', () => {
    const { queue, directory } = setup();
    const first = queue.enqueue(pending(), noon);
    const text = readFileSync(join(directory, `${first.id}.json`), 'utf8');
    for (let number = 1; number < 200; number++) {
      const id =
        number
          .toString(36)
          .replaceAll(/[0189]/g, 'q')
          .padStart(26, 'abcdefgh'[number % 8])
          .slice(0, 22) + number.toString(4).padStart(4, '0').replaceAll('0', 'a').replaceAll('1', 'b');
      writeFileSync(join(directory, `${id}.json`), text.replace(first.id, id), { mode: 0o600 });
    }
    expect(queue.listPending(noon).items).toHaveLength(200);
    expect(() => queue.enqueue(pending(), noon)).toThrow(/storage error: this session already has 200 calls waiting/);
    expect(queue.enqueue(pending({ session_id: 's-2' }), noon).session_id).toBe('s-2');
    expect(queue.enqueue(pending({ expires_at: new Date(later + 9).toISOString() }), later).id).toBeTruthy();
  });

  it.each([
    ['session', pending({ session_id: '../x' })],
    ['digest', pending({ call_digest: 'abc' })],
    ['end', pending({ expires_at: 'soon' })],
    ['size', pending({ sanitized_input: 'x'.repeat(65_537) })],
  ])('refuses an item with a wrong %s', (_name, item) => {
    expect(() => setup().queue.enqueue(item, noon)).toThrow(/cannot be queued/);
  });

  it('reports damaged files, goes on without them, and never reads an allow out of noise', () => {
    const { queue, directory } = setup();
    const item = queue.enqueue(pending(), noon);
    const id = 'b'.repeat(26);
    const whole = JSON.stringify({ ...item, id });
    const wholeAnswer = JSON.stringify(answer());
    mkdirSync(directory, { recursive: true });
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)),
        fc.nat(whole.length - 1),
        fc.nat(wholeAnswer.length - 1),
        (noise, cut, answerCut) => {
          for (const bytes of [noise, Buffer.from(whole.slice(0, cut)), Buffer.from(whole.replace(id, item.id))]) {
            writeFileSync(join(directory, `${id}.json`), bytes, { mode: 0o600 });
            const listed = queue.listPending(noon);
            expect([listed.items, listed.problems.length, queue.getPending(id)]).toEqual([[item], 1, undefined]);
          }
          writeFileSync(join(directory, `${id}.json`), whole, { mode: 0o600 });
          writeFileSync(join(directory, `${id}.answer.json`), answerCut % 2 ? noise : wholeAnswer.slice(0, answerCut), {
            mode: 0o600,
          });
          expect(queue.takeResponse(id)).toBeUndefined();
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('waiting for an answer', () => {
  it('ends as soon as it comes', async () => {
    const { queue } = setup();
    const { id } = queue.enqueue(pending(), noon);
    const started = Date.now();
    setTimeout(() => queue.respond(id, { response: answer(), now: noon }), 30);
    expect(await queue.waitForResponse(id, started + 5000)).toEqual(answer());
    expect(Date.now() - started).toBeLessThan(2500);
  });

  it('ends at the deadline, or at once when the item is gone', async () => {
    const { queue } = setup();
    const { id } = queue.enqueue(pending(), noon);
    const started = Date.now();
    expect(await queue.waitForResponse(id, started + 60)).toBeUndefined();
    expect(Date.now() - started).toBeGreaterThanOrEqual(55);
    expect(queue.getPending(id)?.id).toBe(id);
    queue.withdraw(id);
    expect(await queue.waitForResponse(id, Date.now() + 60_000)).toBeUndefined();
    expect(await queue.waitForResponse('../x', Date.now() + 60_000)).toBeUndefined();
  });
});
