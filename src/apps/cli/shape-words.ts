import { type ContextClass, type SlotType, slotTypes } from '../../core/model/record.ts';

/** What may stand in a slot, as people say it. */
const slotNames: Readonly<Record<SlotType, string>> = {
  path: 'path in the project',
  selector: 'test of the project',
  name: 'name',
  number: 'number',
  message: 'text',
  ref: 'branch',
};

/** A slot, or text in which none can be: what is quoted or escaped is literal. */
const pieces = /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|<ANY:([a-z]+)>/gs;

const slotTypeOf = (name: string | undefined): SlotType | undefined => slotTypes.find((type) => type === name);

/** The text of a shape with its slots in people's words. */
export const shapeInWords = (shape: string): string =>
  shape.replaceAll(pieces, (piece: string, name?: string) => {
    const type = slotTypeOf(name);
    return type === undefined ? piece : `<${slotNames[type]}>`;
  });

/** The types of the slots in the text of a shape, in order. */
export const slotsIn = (shape: string): SlotType[] =>
  [...shape.matchAll(pieces)].flatMap(([, name]) => slotTypeOf(name) ?? []);

/** Where calls are made, as people say it. */
export const contextWords = (context: ContextClass): string => {
  if (context === 'root') return 'at the root';
  return context === 'outside' ? 'outside the project' : `in ${context.slice('inside:'.length)}`;
};

/** The calls for which an entry of a shape holds. */
export const shapeName = ({
  shape,
  role,
  context,
}: {
  readonly shape: string;
  readonly role: string;
  readonly context: ContextClass;
}): string => `every \`${shapeInWords(shape)}\` call of role ${role}, made ${contextWords(context)}`;
