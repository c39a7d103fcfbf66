import { contentText, type JsonRecord, recordsIn, textOf } from './json.ts';

/** One block of a scripted answer. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly id?: string; readonly name: string; readonly input: JsonRecord };

/** One answer of the model; several tool blocks make several calls in one turn. */
export type Turn = readonly Block[];

/** What the model says, in order; `lanes` holds the scripts of conversations marked `[[lane:<name>]]`. */
export type Script = { readonly main: readonly Turn[]; readonly lanes?: Readonly<Record<string, readonly Turn[]>> };

/** A tool result as the model was shown it. */
export type ShownResult = { readonly toolUseId: string; readonly isError: boolean; readonly text: string };

const laneMark = /\[\[lane:([\w-]+)\]\]/;

/** A text block. */
export const say = (text: string): Block => ({ kind: 'text', text });

/** A tool call; without an id the server names it `toolu_<lane>_<turn>_<block>`. */
export const call = (name: string, input: JsonRecord): Block => ({ kind: 'tool', name, input });

/** The marker that puts a subagent's conversation on its own lane; goes into its prompt. */
export const laneMarker = (lane: string): string => `[[lane:${lane}]]`;

/** The id the server gives to a tool block that has none. */
export const toolUseId = (lane: string, place: { readonly turn: number; readonly block: number }): string =>
  `toolu_${lane}_${place.turn}_${place.block}`;

/** The lane that the first user message names, or `main`. */
export const laneOf = (body: JsonRecord): string => {
  const first = recordsIn(body.messages).find((message) => message.role === 'user');
  return laneMark.exec(contentText(first?.content))?.[1] ?? 'main';
};

/** A call beside the conversation (titles, probes): it offers no tools or asks for one token. */
export const isSideCall = (body: JsonRecord): boolean => {
  const tools = body.tools;
  return !Array.isArray(tools) || tools.length === 0 || body.max_tokens === 1;
};

/** All tool results in a request, oldest first. */
export const shownResults = (body: JsonRecord): readonly ShownResult[] =>
  recordsIn(body.messages)
    .flatMap((message) => recordsIn(message.content))
    .filter((block) => block.type === 'tool_result')
    .map((block) => ({
      toolUseId: textOf(block.tool_use_id) ?? '',
      isError: block.is_error === true,
      text: contentText(block.content),
    }));

/** The names of the tools a request offers. */
export const offeredTools = (body: JsonRecord): readonly string[] =>
  recordsIn(body.tools).flatMap((tool) => textOf(tool.name) ?? []);
