/** The part of a glob before its first wildcard, up to the last slash in it. */
const fixedPart = (glob: string): string => {
  const wild = glob.search(/[*?[{\\]/);
  const fixed = wild < 0 ? glob : glob.slice(0, wild);
  return fixed.slice(0, fixed.lastIndexOf('/') + 1);
};

const tidy = (glob: string): string => glob.replace(/^(?:\.\/)+/, '');

const isAnchored = (glob: string): boolean => glob.includes('/') && !glob.startsWith('**/');

const isElsewhere = (glob: string): boolean => glob.startsWith('/') || glob.startsWith('~');

/** Whether everything that `inner` allows, `outer` allows too, as far as the texts prove it. */
export const covers = (outer: string, inner: string): boolean => {
  const [whole, part] = [tidy(outer), tidy(inner)];
  if (whole === part) return true;
  // `a/.` and `a/../b` mean something else than they start with.
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(part)) return false;
  if (whole === '**') return !isElsewhere(part) && !part.startsWith('{');
  const directory = whole.endsWith('/**') ? whole.slice(0, -2) : undefined;
  return directory !== undefined && !/[*?[{\\]/.test(directory) && part.startsWith(directory) && part !== directory;
};

/** Whether one path could match both, unless the texts prove that none can. */
export const mayMeet = (a: string, b: string): boolean => {
  const [first, second] = [tidy(a), tidy(b)];
  if (!isAnchored(first) || !isAnchored(second)) return true;
  if (isElsewhere(first) !== isElsewhere(second)) return true;
  const [x, y] = [fixedPart(first), fixedPart(second)];
  return x.startsWith(y) || y.startsWith(x);
};
