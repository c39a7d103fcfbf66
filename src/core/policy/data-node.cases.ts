import type { DataNode } from './document.ts';

/** Plain values as a parsed file: every key and every list item stands on a line of its own. */
export const nodeOf = (value: unknown): DataNode => {
  let line = 0;
  const build = (part: unknown, own: number): DataNode => {
    if (Array.isArray(part)) {
      const items = part.map((item) => {
        line += 1;
        return build(item, line);
      });
      return { kind: 'list', line: own, items };
    }
    if (typeof part === 'object' && part !== null) {
      const entries = Object.entries(part).map(([key, inner]) => {
        line += 1;
        const at = line;
        return { key, line: at, value: build(inner, at) };
      });
      return { kind: 'map', line: own, entries };
    }
    if (part === null || typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean')
      return { kind: 'scalar', line: own, value: part };
    throw new Error('not plain data');
  };
  return build(value, 1);
};
