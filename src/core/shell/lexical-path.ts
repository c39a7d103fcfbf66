/** Splits a path in its names, resolving `.` and `..` as text. */
const namesOf = (path: string): string[] => {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') names.pop();
    else names.push(name);
  }
  return names;
};

// Ways in which Linux and macOS spell other places.
const aliasOf = (path: string): string =>
  path
    .replace(/^(?:\/proc\/(?:self|thread-self|\d+)\/(?:task\/\d+\/)?root(?=\/|$))+/, '')
    .replace(/^\/private(?=\/(?:tmp|etc|var)(?:\/|$))/, '')
    .replace(/^\/System\/Volumes\/Data(?=\/|$)/, '');

/** An absolute path without `.`, `..`, doubled slashes and other names for the root. */
const canonical = (path: string): string => {
  const plain = `/${namesOf(path).join('/')}`;
  const resolved = aliasOf(plain);
  return resolved === '' ? '/' : resolved === plain ? plain : canonical(resolved);
};

/** Resolves a path against a directory; undefined when it is relative and the directory is not known. */
export const resolvePath = (path: string, cwd: string | undefined): string | undefined => {
  if (!path.startsWith('/')) return cwd === undefined ? undefined : canonical(`${cwd}/${path}`);
  const plain = canonical(path);
  const own = /^\/proc\/(?:self|thread-self|\d+)\/cwd(?=\/|$)/.exec(plain)?.[0];
  if (own === undefined) return plain;
  return cwd === undefined ? undefined : canonical(`${cwd}/${plain.slice(own.length)}`);
};

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const parentOf = (path: string): string => {
  const end = path.lastIndexOf('/');
  return end <= 0 ? '/' : path.slice(0, end);
};

/** Whether a canonical path is the directory or lies below it. */
export const isWithin = (path: string, directory: string): boolean =>
  directory === '/' || path === directory || path.startsWith(`${directory}/`);

/** Whether a canonical path lies below the directory. */
export const isBelow = (path: string, directory: string): boolean => path !== directory && isWithin(path, directory);
