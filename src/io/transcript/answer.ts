import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** How much of the end of a transcript is searched: the answer to a call stands within its last lines. */
const tailBytes = 1024 * 1024;

const deepest = 12;

/**
 * Whether the host's transcript says that a person accepted the call `toolUseId`. Only the line that carries the
 * result of this very call counts, and only a source that names a person (`user_…`).
 */
export const personAccepted = (transcriptPath: string, toolUseId: string): boolean => {
  const lines = tailOf(transcriptPath)?.split('\n') ?? [];
  return lines.some(
    (line) => line.includes(toolUseId) && line.includes('permissionDecision') && isAcceptance(line, toolUseId),
  );
};

const isAcceptance = (line: string, toolUseId: string): boolean => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return false;
  }
  if (!answers(parsed, toolUseId)) return false;
  const decision = isObject(parsed) ? findDecision(parsed, 0) : undefined;
  if (decision === undefined) return false;
  const { decision: verdict, source } = decision;
  return verdict === 'accept' && typeof source === 'string' && source.startsWith('user_');
};

type Json = { readonly [key: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The line is the result of this call: its message content holds a `tool_result` with that id, and no other. */
const answers = (line: unknown, toolUseId: string): boolean => {
  if (!isObject(line) || !isObject(line['message']) || !Array.isArray(line['message']['content'])) return false;
  const results = line['message']['content'].filter(isObject).filter((part) => part['type'] === 'tool_result');
  return results.length === 1 && results[0]?.['tool_use_id'] === toolUseId;
};

/** The host's own field, never one inside the tool's output. */
const findDecision = (value: Json, depth: number): Json | undefined => {
  if (isObject(value['permissionDecision'])) return value['permissionDecision'];
  if (depth >= deepest) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'message' || key === 'toolUseResult' || !isObject(inner)) continue;
    const found = findDecision(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** A transcript that cannot be read proves nothing. */
const tailOf = (path: string): string | undefined => {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const length = Math.min(size, tailBytes);
    const buffer = Buffer.alloc(length);
    const count = readSync(file, buffer, 0, length, size - length);
    return buffer.subarray(0, count).toString('utf8');
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
};
