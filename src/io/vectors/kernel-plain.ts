import { type KernelLoops, type KernelPlaces, saltFactors } from './kernel-places.ts';

/** The loops in JavaScript, for machines without WebAssembly SIMD. They find the same rows with the same products. */
export const plainLoops = (places: KernelPlaces): KernelLoops => {
  const { leadBytes, restBytes } = places;
  let memory = new ArrayBuffer(0);
  let bytes = new Int8Array(memory);
  let numbers = new DataView(memory);
  const multiply = (at: number, by: { readonly length: number; readonly place: number }): number => {
    let sum = 0;
    for (let index = 0; index < by.length; index++) {
      sum += (bytes[at + index] ?? 0) * numbers.getInt16(by.place + index * 2, true);
    }
    return sum;
  };
  const rowOf = (block: number, rows: number) => (row: number) => {
    const column = (index: number): number => numbers.getUint32(block + (index * rows + row) * 4, true);
    return { row, square: column(0), restSquare: column(1), leadCheck: column(2), restCheck: column(3) };
  };
  const saltOf = (place: number, of: { readonly square: number; readonly restSquare: number }): number =>
    place ^ Math.imul(of.square, saltFactors.square) ^ Math.imul(of.restSquare, saltFactors.restSquare);
  const found = (count: number, of: { readonly row: number; readonly product: number }): number => {
    numbers.setInt32(places.rows + count * 4, of.row, true);
    numbers.setInt32(places.products + count * 4, of.product, true);
    return count + 1;
  };
  return {
    kind: 'plain',
    grow: (size) => {
      if (size <= memory.byteLength) return;
      const larger = new ArrayBuffer(size);
      new Uint8Array(larger).set(new Uint8Array(memory));
      memory = larger;
      bytes = new Int8Array(memory);
      numbers = new DataView(memory);
    },
    memory: () => memory,
    lead: (block, rows, first, seed, least, restLength) => {
      let count = 0;
      for (let index = 0; index < rows; index++) {
        const row = rowOf(block, rows)(index);
        const at = block + rows * 16 + index * leadBytes;
        const check = multiply(at, { length: leadBytes, place: places.leadWeights });
        if ((check + saltOf(Math.imul(first + index + 1, seed), row)) >>> 0 !== row.leadCheck) return -1;
        const product = multiply(at, { length: leadBytes, place: places.leadQuery });
        const most = product + restLength * Math.sqrt(row.restSquare);
        if (most >= least * Math.sqrt(row.square)) count = found(count, { row: index, product });
      }
      return count;
    },
    rest: (block, rows, first, seed, least, candidates) => {
      let count = 0;
      for (let turn = 0; turn < candidates; turn++) {
        const row = rowOf(block, rows)(numbers.getInt32(places.rows + turn * 4, true));
        const at = block + rows * (16 + leadBytes) + row.row * restBytes;
        const check = multiply(at, { length: restBytes, place: places.restWeights });
        if ((check + saltOf(Math.imul(first + row.row + 1, seed), row)) >>> 0 !== row.restCheck) return -1;
        const rest = multiply(at, { length: restBytes, place: places.restQuery });
        const product = numbers.getInt32(places.products + turn * 4, true) + rest;
        if (product >= least * Math.sqrt(row.square)) count = found(count, { row: row.row, product });
      }
      return count;
    },
  };
};
