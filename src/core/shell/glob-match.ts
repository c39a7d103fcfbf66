/** Whether a text holds an active pattern character (backslash escapes). */
export const isPattern = (text: string): boolean => /(?<!\\)(?:\\\\)*[*?[]|[?*+@!]\(/.test(text);

const unescapeGlob = (text: string): string => text.replace(/\\([\s\S])/g, '$1');

/** Escapes pattern characters, so that they stand for themselves. */
export const escapeGlob = (text: string): string => text.replace(/[\\*?[\]()|!+@]/g, (found) => `\\${found}`);

type Unit = { readonly kind: 'one'; readonly text: string } | { readonly kind: 'any' } | { readonly kind: 'many' };

// A bracket list, an unusual group: what it matches is taken as "one character" or "anything", never as less.
const unitsOf = (pattern: string): Unit[] => {
  const units: Unit[] = [];
  for (let index = 0; index < pattern.length; index += 1) {
    const letter = pattern.charAt(index);
    if (letter === '\\' && index + 1 < pattern.length) {
      index += 1;
      units.push({ kind: 'one', text: pattern.charAt(index) });
    } else if (/[?*+@!]/.test(letter) && pattern.charAt(index + 1) === '(') {
      units.push({ kind: 'many' });
      index = pattern.length;
    } else if (letter === '*') {
      if (units.at(-1)?.kind !== 'many') units.push({ kind: 'many' });
    } else if (letter === '?') units.push({ kind: 'any' });
    else if (letter === '[') {
      const close = pattern.indexOf(']', index + 2);
      if (close < 0) units.push({ kind: 'one', text: letter });
      else {
        units.push(bracketUnit(pattern.slice(index + 1, close)));
        index = close;
      }
    } else units.push({ kind: 'one', text: letter });
  }
  return units;
};

const bracketUnit = (set: string): Unit => (set.length === 1 ? { kind: 'one', text: set } : { kind: 'any' });

/** Whether one name could match one pattern segment. Over-approximates bracket lists; linear space, no backtracking blow-up. */
export const couldMatchName = (pattern: string, name: string): boolean => {
  const units = unitsOf(pattern);
  if (name.startsWith('.') && units[0]?.kind !== 'one') return false;
  let reachable = new Set<number>([0]);
  const spread = (positions: Set<number>): Set<number> => {
    for (const position of positions) if (units[position]?.kind === 'many') positions.add(position + 1);
    return positions;
  };
  reachable = spread(reachable);
  for (const letter of name) {
    const next = new Set<number>();
    for (const position of reachable) {
      const unit = units[position];
      if (unit === undefined) continue;
      if (unit.kind === 'many') next.add(position);
      else if (unit.kind === 'any' || unit.text === letter) next.add(position + 1);
    }
    reachable = spread(next);
    if (reachable.size === 0) return false;
  }
  return reachable.has(units.length);
};

const segmentMatches = (segment: string, name: string): boolean =>
  isPattern(segment) ? couldMatchName(segment, name) : unescapeGlob(segment) === name;

/** Whether an absolute pattern could match an absolute path, segment by segment; `**` stands for any number of them. */
export const couldMatchPath = (pattern: string, path: string): boolean => {
  const patterns = pattern.split('/').filter(Boolean);
  const names = path.split('/').filter(Boolean);
  if (!patterns.includes('**')) {
    if (patterns.length !== names.length) return false;
    return patterns.every((segment, index) => segmentMatches(segment, names[index] ?? ''));
  }
  let reachable = new Set<number>([0]);
  const spread = (positions: Set<number>): Set<number> => {
    for (const position of positions) if (patterns[position] === '**') positions.add(position + 1);
    return positions;
  };
  reachable = spread(reachable);
  for (const name of names) {
    const next = new Set<number>();
    for (const position of reachable) {
      const segment = patterns[position];
      if (segment === '**') next.add(position);
      else if (segment !== undefined && segmentMatches(segment, name)) next.add(position + 1);
    }
    reachable = spread(next);
  }
  return reachable.has(patterns.length);
};

/** The directory of a pattern that is surely known: everything before the first pattern segment. */
export const knownDirectory = (pattern: string): string => {
  const segments = pattern.split('/');
  const first = segments.findIndex((segment) => isPattern(segment));
  const known = first < 0 ? segments : segments.slice(0, first);
  return unescapeGlob(known.join('/')) || '/';
};
