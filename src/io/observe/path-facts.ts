import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import type { PathFact } from '../../core/model/facts.ts';

/** Links followed by hand below a missing target before the path counts as unreadable. */
const mostLinks = 40;

/** What the file system says about an absolute path. Never throws; never opens the file. */
export const observePath = (path: string): PathFact => {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return missing(path);
    if (found.isSymbolicLink()) return throughLink(path);
    return factOf(found, realpathSync.native(path));
  } catch {
    return { real: path, type: 'unreadable', links: 0 };
  }
};

const factOf = (found: Stats, real: string): PathFact => {
  const type = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
  return { real, type, links: found.isFile() ? found.nlink : 1 };
};

/** A link whose target is missing still decides where a write would land. */
const throughLink = (path: string): PathFact => {
  const target = statSync(path, { throwIfNoEntry: false });
  if (target !== undefined) return factOf(target, realpathSync.native(path));
  return { real: realOf(path, 0), type: 'missing', links: 0 };
};

const missing = (path: string): PathFact => ({ real: realOf(path, 0), type: 'missing', links: 0 });

/** The real path of the longest existing ancestor, with the rest appended; dangling links on the way are followed. */
const realOf = (path: string, followed: number): string => {
  if (followed > mostLinks) throw new Error('too many links');
  if (path === '/') return '/';
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) return realOf(resolveLink(path, readlinkSync(path)), followed + 1);
  if (found !== undefined) return realpathSync.native(path);
  const cut = path.lastIndexOf('/');
  const parent = realOf(cut <= 0 ? '/' : path.slice(0, cut), followed);
  return parent === '/' ? path.slice(cut) : `${parent}${path.slice(cut)}`;
};

const resolveLink = (link: string, target: string): string => {
  if (target.startsWith('/')) return target;
  const parts = link.slice(0, link.lastIndexOf('/')).split('/');
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/') || '/';
};
