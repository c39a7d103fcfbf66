import { type KernelPlaces, saltFactors } from './kernel-places.ts';

type Code = readonly number[];

/** An unsigned number as the format writes it: seven bits a byte, lowest first. */
const unsigned = (value: number): Code => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]);
const signed = (value: number): Code =>
  value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];

/** The operations used, with their encoding in the WebAssembly binary format. */
const op = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  if: [0x04, 0x40],
  end: [0x0b],
  repeat: [0x0c, 0],
  leaveWhen: [0x0d, 1],
  repeatWhen: [0x0d, 0],
  return: [0x0f],
  i32Ne: [0x47],
  i32LtU: [0x49],
  i32GeU: [0x4f],
  i32Add: [0x6a],
  i32Mul: [0x6c],
  i32Xor: [0x73],
  f64Ge: [0x66],
  f64Sqrt: [0x9f],
  f64Add: [0xa0],
  f64Mul: [0xa2],
  f64FromSigned: [0xb7],
  f64FromUnsigned: [0xb8],
  zeros: [0xfd, 0x0c, ...new Array<number>(16).fill(0)],
  add4: [0xfd, 0xae, 0x01],
  multiplyPairs: [0xfd, 0xba, 0x01],
} as const;

const type = { i32: 0x7f, f64: 0x7c, vector: 0x7b, function: 0x60 } as const;

const get = (local: number): Code => [0x20, local];
const set = (local: number, ...value: readonly Code[]): Code => [...value.flat(), 0x21, local];
const number = (value: number): Code => [0x41, ...signed(value)];
const load = (offset = 0): Code => [0x28, 2, ...unsigned(offset)];
const store = (offset: number): Code => [0x36, 2, ...unsigned(offset)];
const load16Bytes = (offset: number): Code => [0xfd, 0x00, 0, ...unsigned(offset)];
const loadWidened = (offset: number): Code => [0xfd, 0x01, 0, ...unsigned(offset)];
const lane = (index: number): Code => [0xfd, 0x1b, index];
const advance = (local: number, by: Code): Code => set(local, get(local), by, op.i32Add);

/** The sum of the four numbers in a vector. */
const total = (sums: number): Code => [
  ...[...get(sums), ...lane(0)],
  ...[1, 2, 3].flatMap((index) => [...get(sums), ...lane(index), ...op.i32Add]),
];

/** What both loops are given: the block, its rows, its first row, the seed, the least cosine times a length, and so on. */
const given = { block: 0, rows: 1, first: 2, seed: 3, least: 4, last: 5 } as const;
/** Their own numbers, vectors last. */
const own = {
  row: 6,
  at: 7,
  column: 8,
  columnBytes: 9,
  found: 10,
  square: 11,
  restSquare: 12,
  turn: 13,
  from: 14,
  turned: 15,
} as const;
const sums = { product: 16, check: 17, part: 18 } as const;
const locals: Code = [2, 10, type.i32, 3, type.vector];

/** Multiplies a part of a row, sixteen bytes a turn, and moves the address of the part behind it. */
const multiply = (by: { readonly length: number; readonly query: number; readonly weights: number }): Code => {
  const eightBytes = (offset: number): Code => [
    ...set(sums.part, get(own.at), loadWidened(offset)),
    ...[[sums.product, by.query] as const, [sums.check, by.weights] as const].flatMap(([sum, place]) =>
      set(sum, get(sum), get(sums.part), get(own.turned), load16Bytes(place + offset * 2), op.multiplyPairs, op.add4),
    ),
  ];
  const start = [...set(sums.product, op.zeros), ...set(sums.check, op.zeros), ...set(own.turned, number(0))];
  if (by.length === 0) return start;
  return [
    ...start,
    ...[...op.loop, ...eightBytes(0), ...eightBytes(8)],
    ...[...advance(own.at, number(16)), ...advance(own.turned, number(32))],
    ...[...get(own.turned), ...number(by.length * 2), ...op.i32LtU, ...op.repeatWhen, ...op.end],
  ];
};

/** The address in a later column of the same row. */
const columnAt = (index: number): Code => [
  ...get(own.column),
  ...Array.from({ length: index }, () => [...get(own.columnBytes), ...op.i32Add]).flat(),
];

const readSquares: Code = [...set(own.square, columnAt(0), load()), ...set(own.restSquare, columnAt(1), load())];

const salt: Code = [
  ...[...get(given.first), ...get(own.row), ...op.i32Add, ...number(1), ...op.i32Add, ...get(given.seed), ...op.i32Mul],
  ...[...get(own.square), ...number(saltFactors.square), ...op.i32Mul, ...op.i32Xor],
  ...[...get(own.restSquare), ...number(saltFactors.restSquare), ...op.i32Mul, ...op.i32Xor],
];

/** Leaves with -1 when the check of the row is not the one in that column. */
const leaveWhenDamaged = (column: number): Code => [
  ...[...total(sums.check), ...salt, ...op.i32Add, ...columnAt(column), ...load(), ...op.i32Ne],
  ...[...op.if, ...number(-1), ...op.return, ...op.end],
];

const lengthOf = (square: number): Code => [...get(square), ...op.f64FromUnsigned, ...op.f64Sqrt];
const isEnough: Code = [...get(given.least), ...lengthOf(own.square), ...op.f64Mul, ...op.f64Ge];
const foundAt: Code = [...get(own.found), ...number(4), ...op.i32Mul];

/** `lead(block, rows, first, seed, least, restLength)`: how many rows may be near enough, or -1 for a damaged one. */
const leadBody = ({ leadBytes, leadQuery, leadWeights, rows, products }: KernelPlaces): Code => [
  ...locals,
  ...set(own.column, get(given.block)),
  ...set(own.columnBytes, get(given.rows), number(4), op.i32Mul),
  ...set(own.at, get(given.block), get(given.rows), number(16), op.i32Mul, op.i32Add),
  ...[...op.block, ...op.loop, ...get(own.row), ...get(given.rows), ...op.i32GeU, ...op.leaveWhen],
  ...multiply({ length: leadBytes, query: leadQuery, weights: leadWeights }),
  ...[...readSquares, ...leaveWhenDamaged(2)],
  ...[...total(sums.product), ...op.f64FromSigned, ...get(given.last), ...lengthOf(own.restSquare), ...op.f64Mul],
  ...[...op.f64Add, ...isEnough, ...op.if],
  ...[...foundAt, ...get(own.row), ...store(rows), ...foundAt, ...total(sums.product), ...store(products)],
  ...[...advance(own.found, number(1)), ...op.end],
  ...[...advance(own.row, number(1)), ...advance(own.column, number(4))],
  ...[...op.repeat, ...op.end, ...op.end, ...get(own.found), ...op.end],
];

/** `rest(block, rows, first, seed, least, count)`: how many of the rows that `lead` found are near enough, or -1. */
const restBody = ({ leadBytes, restBytes, restQuery, restWeights, rows, products }: KernelPlaces): Code => [
  ...locals,
  ...set(own.columnBytes, get(given.rows), number(4), op.i32Mul),
  ...[...op.block, ...op.loop, ...get(own.turn), ...op.f64FromSigned, ...get(given.last), ...op.f64Ge, ...op.leaveWhen],
  ...set(own.from, get(own.turn), number(4), op.i32Mul),
  ...set(own.row, get(own.from), load(rows)),
  ...set(own.column, get(given.block), get(own.row), number(4), op.i32Mul, op.i32Add),
  ...set(own.at, get(given.block), get(given.rows), number(16 + leadBytes), op.i32Mul, op.i32Add),
  ...advance(own.at, [...get(own.row), ...number(restBytes), ...op.i32Mul]),
  ...multiply({ length: restBytes, query: restQuery, weights: restWeights }),
  ...[...readSquares, ...leaveWhenDamaged(3)],
  ...set(own.from, get(own.from), load(products), total(sums.product), op.i32Add),
  ...[...get(own.from), ...op.f64FromSigned, ...isEnough, ...op.if],
  ...[...foundAt, ...get(own.row), ...store(rows), ...foundAt, ...get(own.from), ...store(products)],
  ...[...advance(own.found, number(1)), ...op.end, ...advance(own.turn, number(1))],
  ...[...op.repeat, ...op.end, ...op.end, ...get(own.found), ...op.end],
];

const sized = (content: Code): Code => [...unsigned(content.length), ...content];
const section = (id: number, content: Code): Code => [id, ...sized(content)];
const name = (text: string): Code => sized([...text].map((character) => character.charCodeAt(0)));
const loopType: Code = [type.function, 6, type.i32, type.i32, type.i32, type.i32, type.f64, type.f64, 1, type.i32];

/**
 * The inner loops of a scan as a WebAssembly module with SIMD, assembled for one layout of rows; exports `memory`, `lead`
 * and `rest`. A row is multiplied with the query and, in the same pass, with fixed weights that show whether it is what
 * was written.
 */
export const kernelCode = (places: KernelPlaces): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, ...loopType]),
    ...section(3, [2, 0, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [3, ...name('memory'), 2, 0, ...name('lead'), 0, 0, ...name('rest'), 0, 1]),
    ...section(10, [2, ...sized(leadBody(places)), ...sized(restBody(places))]),
  ]);
