import { isWithin } from './lexical-path.ts';
import type { PathTarget } from './model.ts';

/** A link that the call itself makes: what the path stands for from then on. */
export interface Link {
  readonly path: string;
  readonly to: PathTarget;
}

/** Whether the link itself is meant, when a path names nothing but the link. */
export type AtLink = 'follow' | 'keep';

/** What a path stands for behind the links that the call has made. */
export const throughLinks = (target: PathTarget, links: readonly Link[], atLink: AtLink): PathTarget => {
  if (links.length === 0 || target.path === '') return target;
  const link = links.findLast((one) => isWithin(target.path, one.path));
  if (link === undefined) return target;
  const isLinkItself = target.path === link.path && !target.spelled.endsWith('/');
  if (isLinkItself && atLink === 'keep') return target;
  if (link.to.certainty !== 'literal') return { path: '', spelled: target.spelled, certainty: 'dynamic' };
  const base = link.to.path === '/' ? '' : link.to.path;
  const path = `${base}${target.path.slice(link.path.length)}`;
  return { ...target, path: path === '' ? '/' : path };
};
