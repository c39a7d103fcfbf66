import { kernelCode } from './kernel-code.ts';
import type { KernelLoops, KernelMaker } from './kernel-places.ts';
import { plainLoops } from './kernel-plain.ts';

// As much of the WebAssembly interface as is used: the types of Node 20 do not have it.
interface Instance {
  readonly exports: {
    readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
    readonly lead: KernelLoops['lead'];
    readonly rest: KernelLoops['rest'];
  };
}
declare const WebAssembly:
  | {
      readonly Module: new (code: Uint8Array) => object;
      readonly Instance: new (module: object) => Instance;
      readonly validate: (code: Uint8Array) => boolean;
    }
  | undefined;

const pageBytes = 65_536;

/** The fastest loops that this machine has. */
export const fastestLoops: KernelMaker = (places) => {
  const code = kernelCode(places);
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(code)) return plainLoops(places);
  const { memory, lead, rest } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
  return {
    kind: 'simd',
    grow: (bytes) => {
      const missing = Math.ceil(bytes / pageBytes) - memory.buffer.byteLength / pageBytes;
      if (missing > 0) memory.grow(missing);
    },
    memory: () => memory.buffer,
    lead,
    rest,
  };
};
