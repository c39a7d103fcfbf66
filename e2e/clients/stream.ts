import { contentText, isRecord, type JsonRecord, parseRecord, recordsIn, textOf } from '../model/json.ts';

/** A tool result as the client reported it on its stream. */
export type ToolResult = {
  readonly toolUseId: string;
  readonly isError: boolean;
  readonly text: string;
  /** Who decided, as the client says (`hook`, `config`, …); undefined where the client does not say. */
  readonly decidedBy: string | undefined;
};

/** A denied call in the client's final line. */
export type PermissionDenial = { readonly toolName: string; readonly toolUseId: string; readonly input: JsonRecord };

/** The client's stream, taken apart. */
export type ClientStream = {
  readonly init: JsonRecord | undefined;
  readonly toolResults: readonly ToolResult[];
  readonly permissionDenials: readonly PermissionDenial[];
  readonly result: JsonRecord | undefined;
  readonly lines: readonly JsonRecord[];
};

const field = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

const decidedBy = (line: JsonRecord, toolUseId: string): string | undefined => {
  const own = recordsIn(line.tool_result_meta).find((entry) => entry.id === toolUseId);
  return textOf(field(own?.permission_decision, 'source'));
};

const toolResultsIn = (line: JsonRecord): readonly ToolResult[] =>
  recordsIn(field(line.message, 'content'))
    .filter((block) => block.type === 'tool_result')
    .map((block) => {
      const toolUseId = textOf(block.tool_use_id) ?? '';
      return {
        toolUseId,
        isError: block.is_error === true,
        text: contentText(block.content),
        decidedBy: decidedBy(line, toolUseId),
      };
    });

const denialsIn = (result: JsonRecord | undefined): readonly PermissionDenial[] =>
  recordsIn(result?.permission_denials).map((denial) => ({
    toolName: textOf(denial.tool_name) ?? '',
    toolUseId: textOf(denial.tool_use_id) ?? '',
    input: isRecord(denial.tool_input) ? denial.tool_input : {},
  }));

/** Takes the client's `stream-json` output apart; lines that are no JSON object are left out. */
export const parseStream = (raw: string): ClientStream => {
  const lines = raw.split('\n').flatMap((line): readonly JsonRecord[] => {
    const record = parseRecord(line);
    return record === undefined ? [] : [record];
  });
  const result = lines.find((line) => line.type === 'result');
  return {
    init: lines.find((line) => line.type === 'system' && line.subtype === 'init'),
    toolResults: lines.filter((line) => line.type === 'user').flatMap(toolResultsIn),
    permissionDenials: denialsIn(result),
    result,
    lines,
  };
};
