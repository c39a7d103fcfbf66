const deepest = 64;

/** JSON with object keys in code-unit order at every level, so that one call has one text. Throws below 64 levels. */
export const canonicalJson = (value: unknown, depth = 0): string => {
  if (depth > deepest) throw new RangeError('JSON nested too deeply');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item, depth + 1)}`).join(',')}}`;
};
