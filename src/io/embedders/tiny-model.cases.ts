/** A very small ONNX model, written by hand: what a token is, plus the mean of all tokens, for every token. */

type Bytes = readonly number[];

const varint = (value: number): Bytes => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const field = (number: number, content: Bytes): Bytes => [
  ...varint(number * 8 + 2),
  ...varint(content.length),
  ...content,
];
const whole = (number: number, value: number): Bytes => [...varint(number * 8), ...varint(value)];
const text = (number: number, value: string): Bytes => field(number, [...Buffer.from(value)]);

const floatType = 1;
const int64Type = 7;

const port = (name: string, type: number, shape: readonly (number | string)[]): Bytes => [
  ...text(1, name),
  ...field(
    2,
    field(1, [
      ...whole(1, type),
      ...field(
        2,
        shape.flatMap((size) => field(1, typeof size === 'number' ? whole(1, size) : text(2, size))),
      ),
    ]),
  ),
];

const node = (operation: string, how: { inputs: readonly string[]; output: string; attributes?: Bytes }): Bytes => [
  ...how.inputs.flatMap((input) => text(1, input)),
  ...text(2, how.output),
  ...text(4, operation),
  ...(how.attributes ?? []),
];

const table = (vocabulary: number, size: number): Bytes => {
  const values = Float32Array.from({ length: vocabulary * size }, (_, at) =>
    Math.fround(Math.sin(at * 1.7) + 0.01 * at),
  );
  return [
    ...[vocabulary, size].flatMap((dimension) => whole(1, dimension)),
    ...whole(2, floatType),
    ...text(8, 'table'),
    ...field(9, [...new Uint8Array(values.buffer)]),
  ];
};

/** The mean over tokens; the dimension is kept. */
const overTokens: Bytes = [
  ...field(5, [...text(1, 'axes'), ...whole(8, 1), ...whole(20, 7)]),
  ...field(5, [...text(1, 'keepdims'), ...whole(3, 1), ...whole(20, 2)]),
];

/** The model for so many tokens, with vectors of `size` numbers. */
export const tinyModel = (vocabulary: number, size: number): Uint8Array => {
  const sequence = ['batch', 'sequence'];
  const graph = [
    ...field(1, node('Gather', { inputs: ['table', 'input_ids'], output: 'tokens' })),
    ...field(1, node('ReduceMean', { inputs: ['tokens'], output: 'mean', attributes: overTokens })),
    ...field(1, node('Add', { inputs: ['tokens', 'mean'], output: 'last_hidden_state' })),
    ...text(2, 'tiny'),
    ...field(5, table(vocabulary, size)),
    ...['input_ids', 'attention_mask', 'token_type_ids'].flatMap((name) => field(11, port(name, int64Type, sequence))),
    ...field(12, port('last_hidden_state', floatType, [...sequence, size])),
  ];
  return Uint8Array.from([...whole(1, 8), ...field(8, whole(2, 13)), ...field(7, graph)]);
};
