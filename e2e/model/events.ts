import type { JsonRecord } from './json.ts';
import { type Block, type Turn, toolUseId } from './script.ts';

type Place = { readonly lane: string; readonly turn: number; readonly model: string };
type WireBlock = { readonly type: string } & JsonRecord;
export type WireEvent = { readonly type: string } & JsonRecord;

const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const pieceLength = 24;

const pieces = (text: string): readonly string[] =>
  text.length === 0 ? [''] : (text.match(new RegExp(`[^]{1,${pieceLength}}`, 'gu')) ?? [text]);

const wireBlock = (block: Block, id: string): WireBlock =>
  block.kind === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'tool_use', id: block.id ?? id, name: block.name, input: block.input };

const emptied = (block: WireBlock): WireBlock =>
  block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };

const deltasOf = (block: Block): readonly JsonRecord[] =>
  block.kind === 'text'
    ? pieces(block.text).map((text) => ({ type: 'text_delta', text }))
    : pieces(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }));

const stopReason = (turn: Turn): string => (turn.some((block) => block.kind === 'tool') ? 'tool_use' : 'end_turn');

/** A scripted turn as one whole Messages API answer. */
export const wholeMessage = (turn: Turn, place: Place): JsonRecord => ({
  id: `msg_${place.lane}_${place.turn}`,
  type: 'message',
  role: 'assistant',
  model: place.model,
  content: turn.map((block, index) => wireBlock(block, toolUseId(place.lane, { turn: place.turn, block: index }))),
  stop_reason: stopReason(turn),
  stop_sequence: null,
  usage,
});

const blockEvents = (block: Block, at: { readonly index: number; readonly id: string }): readonly WireEvent[] => [
  { type: 'content_block_start', index: at.index, content_block: emptied(wireBlock(block, at.id)) },
  ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index: at.index, delta })),
  { type: 'content_block_stop', index: at.index },
];

/** A scripted turn as the server-sent events of a streamed answer. */
export const streamedMessage = (turn: Turn, place: Place): readonly WireEvent[] => [
  {
    type: 'message_start',
    message: { ...wholeMessage(turn, place), content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  },
  ...turn.flatMap((block, index) =>
    blockEvents(block, { index, id: toolUseId(place.lane, { turn: place.turn, block: index }) }),
  ),
  {
    type: 'message_delta',
    delta: { stop_reason: stopReason(turn), stop_sequence: null },
    usage: { output_tokens: usage.output_tokens },
  },
  { type: 'message_stop' },
];
