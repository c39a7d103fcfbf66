import { afterEach, describe, expect, it } from 'vitest';
import { type JsonRecord, parseRecord } from './json.ts';
import { call, laneMarker, offeredTools, type Script, say, shownResults } from './script.ts';
import { type ModelServer, startModel } from './server.ts';

let model: ModelServer | undefined;

const ask = async (
  body: JsonRecord,
  more: { readonly path?: string; readonly headers?: Record<string, string> } = {},
): Promise<string> => {
  const response = await fetch(`${model?.url}${more.path ?? '/v1/messages?beta=true'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...more.headers },
    body: JSON.stringify(body),
  });
  return response.text();
};

const tools = [{ name: 'Bash' }, { name: 'Write' }];
const opening = (text: string): JsonRecord => ({
  model: 'm',
  max_tokens: 100,
  tools,
  messages: [{ role: 'user', content: text }],
});
const turnOf = (text: string): unknown => parseRecord(text)?.content;

const start = async (script: Script): Promise<void> => {
  model = await startModel(script);
};

afterEach(async () => {
  await model?.stop();
  model = undefined;
});

describe('the scripted model', () => {
  it('walks the script, and a retry gets the same turn again', async () => {
    await start({ main: [[say('one')], [say('two')]] });
    const first = await ask(opening('go'));
    const retried = await ask(opening('go'), { headers: { 'x-stainless-retry-count': '1' } });
    const second = await ask(opening('go'));
    expect(retried).toBe(first);
    expect(turnOf(second)).toEqual([{ type: 'text', text: 'two' }]);
    expect(model?.surprises).toEqual([]);
  });

  it('answers side calls without moving on', async () => {
    await start({ main: [[say('one')]] });
    await ask({ ...opening('title?'), tools: [] });
    await ask({ ...opening('probe'), max_tokens: 1 });
    expect(turnOf(await ask(opening('go')))).toEqual([{ type: 'text', text: 'one' }]);
    expect(model?.requests.map((request) => request.kind)).toEqual(['side', 'side', 'turn']);
  });

  it('keeps lanes apart by the marker in the first user message', async () => {
    await start({ main: [[say('main')]], lanes: { sub1: [[say('sub')]] } });
    expect(turnOf(await ask(opening(`${laneMarker('sub1')} do it`)))).toEqual([{ type: 'text', text: 'sub' }]);
    expect(turnOf(await ask(opening('go')))).toEqual([{ type: 'text', text: 'main' }]);
  });

  it('names what the script did not foresee', async () => {
    await start({ main: [] });
    await ask(opening('go'));
    await ask(opening(laneMarker('nowhere')));
    expect(model?.surprises).toEqual(['lane main asked for turn 0 of 0', 'no script for lane nowhere']);
  });

  it('streams text and several tool calls whose pieces add up', async () => {
    const input = { file_path: '/x/ü😀.ts', content: 'a longer text that needs more than one piece\n'.repeat(3) };
    await start({ main: [[say('hello'), call('Write', input), call('Bash', {})]] });
    const events = (await ask({ ...opening('go'), stream: true }))
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => parseRecord(line.slice('data: '.length)));
    const pieces = events.flatMap((event) =>
      event?.type === 'content_block_delta' && event.index === 1 ? [event.delta] : [],
    );
    const joined = pieces.map((delta) => parseRecord(JSON.stringify(delta))?.partial_json).join('');
    expect(pieces.length).toBeGreaterThan(3);
    expect(parseRecord(joined)).toEqual(input);
    expect(events.filter((event) => event?.type === 'content_block_start')).toMatchObject([
      { content_block: { type: 'text', text: '' } },
      { content_block: { type: 'tool_use', id: 'toolu_main_0_1', name: 'Write', input: {} } },
      { content_block: { type: 'tool_use', id: 'toolu_main_0_2', name: 'Bash', input: {} } },
    ]);
    expect(events[0]?.type).toBe('message_start');
    expect(events.at(-2)).toMatchObject({ type: 'message_delta', delta: { stop_reason: 'tool_use' } });
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
  });

  it('answers the other paths harmlessly', async () => {
    await start({ main: [] });
    expect(parseRecord(await ask(opening('go'), { path: '/v1/messages/count_tokens' }))).toEqual({ input_tokens: 10 });
    expect((await fetch(`${model?.url}/`, { method: 'HEAD' })).status).toBe(200);
    expect(model?.requests.map((request) => request.kind)).toEqual(['other', 'other']);
  });

  it('reads what a request shows and offers', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 'a', is_error: true, content: [{ type: 'text', text: 'no' }] },
      { type: 'tool_result', tool_use_id: 'b', content: 'yes' },
    ];
    const body = { tools, messages: [{ role: 'user', content }] };
    expect(shownResults(body)).toEqual([
      { toolUseId: 'a', isError: true, text: 'no' },
      { toolUseId: 'b', isError: false, text: 'yes' },
    ]);
    expect(offeredTools(body)).toEqual(['Bash', 'Write']);
  });
});
