import { fieldReader } from './field-reader.ts';
import type { LearnTarget } from './queue.ts';
import { type Change, type ContextClass, type SlotType, slotTypes } from './record.ts';
import { isJsonObject } from './strict-json.ts';

const changes: readonly Change[] = ['create', 'modify', 'delete'];
const longestInput = 65_536;

const isContextClass = (text: string): text is ContextClass =>
  text === 'root' || text === 'outside' || text.startsWith('inside:');

/** The learn target in a state file, or nothing when it does not have that shape: then an answer counts once. */
export const learnTargetFromJson = (value: unknown): LearnTarget | undefined => {
  if (!isJsonObject(value)) return undefined;
  const reader = fieldReader(value);
  const context = reader.text('context', longestInput);
  const change = reader.oneOf('change', changes);
  const filePath = reader.optionalText('file_path', longestInput);
  const shape = shapeFrom(value.shape);
  const target: LearnTarget = {
    sanitized_input: reader.text('sanitized_input', longestInput),
    tool: reader.name('tool'),
    role: reader.name('role'),
    context: isContextClass(context) ? context : 'outside',
    lossy: reader.optionalFlag('lossy') ?? true,
    digest: reader.text('digest', 64),
    ...(change === undefined ? {} : { change }),
    ...(filePath === undefined ? {} : { file_path: filePath }),
    ...(shape === undefined ? {} : { shape }),
  };
  return reader.wrong() === undefined && isContextClass(context) && /^[0-9a-f]{64}$/.test(target.digest)
    ? target
    : undefined;
};

const mostSlots = 32;

/** A shape that cannot be read is none: then only the exact call can be remembered. */
const shapeFrom = (value: unknown): LearnTarget['shape'] => {
  if (!isJsonObject(value) || !Array.isArray(value.slots)) return undefined;
  const given: readonly unknown[] = value.slots;
  const slots = given.flatMap((item): SlotType[] => slotTypes.filter((type) => type === item));
  const reader = fieldReader(value);
  const text = reader.text('text', longestInput);
  const isWhole = slots.length > 0 && slots.length === given.length && slots.length <= mostSlots;
  return isWhole && reader.wrong() === undefined ? { text, slots } : undefined;
};
