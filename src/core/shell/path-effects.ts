import { controlPlaceOf } from './control-places.ts';
import { couldMatchPath } from './glob-match.ts';
import { isWithin } from './lexical-path.ts';
import type { PathTarget, ShellContext, ShellEffect, Taint } from './model.ts';
import {
  couldBeSecret,
  deviceAt,
  isSecretFile,
  isTemporary,
  laterSamples,
  runsLater,
  takesAll,
  treasureAt,
  treasureMatching,
} from './places.ts';

type ReadHow = Extract<ShellEffect, { kind: 'read' }>['how'];
type WriteHow = Extract<ShellEffect, { kind: 'write' }>['how'];

const isSecretTarget = (target: PathTarget): boolean => {
  switch (target.certainty) {
    case 'literal':
      return isSecretFile(target.path);
    case 'glob':
      return couldBeSecret(target.path);
    case 'dynamic':
      return isSecretFile(target.spelled.startsWith('/') ? target.spelled : `/${target.spelled}`);
  }
};

// A recursive search from the home or above it comes across credentials.
const searchesHome = (target: PathTarget, context: ShellContext): boolean =>
  target.certainty !== 'dynamic' && isWithin(context.home, target.path) && target.path !== context.root;

/** What reading a path comes to. */
export const readPath = (
  target: PathTarget,
  options: { readonly how: ReadHow; readonly shown: boolean },
  context: ShellContext,
): ShellEffect[] => {
  const device = deviceAt(target.path);
  if (device === 'harmless') return [];
  if (device === 'network') return [{ kind: 'connect', host: hostOfDevice(target.path), sendsData: false }];
  const secret =
    options.how !== 'list' && (isSecretTarget(target) || (options.how === 'search' && searchesHome(target, context)));
  return [{ kind: 'read', ...target, ...options, ...(secret ? { risk: 'credentials' as const } : {}) }];
};

const hostOfDevice = (path: string): string => path.split('/')[3] ?? '';

/** What writing a path comes to. */
export const writePath = (
  target: PathTarget,
  options: { readonly how: WriteHow; readonly recursive?: boolean; readonly from?: readonly Taint[] },
  context: ShellContext,
): ShellEffect[] => {
  switch (deviceAt(target.path)) {
    case 'harmless':
      return [];
    case 'network':
      return [{ kind: 'connect', host: hostOfDevice(target.path), sendsData: true, risk: 'send' }];
    case 'raw':
      return [{ kind: 'catastrophe', what: `writes the raw device ${target.path}`, risk: 'destroy' }];
    case 'terminal':
      return [{ kind: 'control', name: 'terminal', words: [target.path], plain: false, risk: 'control' }];
    case 'own-terminal':
      return [{ kind: 'unknown', why: 'writes to the terminal', hidden: true }];
    case 'kernel':
      return [{ kind: 'privilege', how: `writes ${target.path}`, risk: 'privilege' }];
    case undefined:
      return [{ kind: 'write', ...target, ...options, ...riskOfWrite(target, options.how, context) }];
  }
};

const riskOfWrite = (target: PathTarget, how: WriteHow, context: ShellContext): Pick<ShellEffect, 'risk'> => {
  if (controlPlaceOf(target, context) !== undefined) return { risk: 'control' };
  if (target.certainty === 'dynamic' && target.path === '') return {};
  if (isLater(target, context)) return { risk: 'persist' };
  if (target.certainty === 'dynamic' || isWithin(target.path, context.root) || isTemporary(target.path)) return {};
  return how === 'append' || how === 'create' || how === 'link' ? {} : { risk: 'destroy' };
};

const isLater = (target: PathTarget, context: ShellContext): boolean =>
  runsLater(target.path, context) ||
  (target.certainty === 'dynamic' && runsLater(target.spelled, context)) ||
  (target.certainty === 'glob' &&
    !/\/\*$/.test(target.path) &&
    laterSamples(context).some((sample) => couldMatchPath(target.path, sample)));

/** What deleting (or moving away) a path comes to, with the catastrophe it may be. */
export const deletePath = (
  target: PathTarget,
  options: { readonly recursive: boolean; readonly from?: readonly string[] },
  context: ShellContext,
): ShellEffect[] => {
  if (deviceAt(target.path) === 'harmless') return [];
  const found: ShellEffect[] = [
    { kind: 'delete', ...target, recursive: options.recursive, ...riskOfDelete(target, options.recursive, context) },
  ];
  const lost = lossOf(target, options.recursive, context);
  if (lost !== undefined) found.push({ kind: 'catastrophe', what: `deletes ${lost}`, risk: 'destroy' });
  return found;
};

const lossOf = (target: PathTarget, recursive: boolean, context: ShellContext): string | undefined => {
  switch (target.certainty) {
    case 'literal':
      return recursive ? treasureAt(target.path, context) : undefined;
    case 'glob':
      return recursive || takesAll(target.path) ? treasureMatching(target.path, context) : undefined;
    case 'dynamic':
      return undefined;
  }
};

const riskOfDelete = (target: PathTarget, recursive: boolean, context: ShellContext): Pick<ShellEffect, 'risk'> => {
  if (controlPlaceOf(target, context) !== undefined) return { risk: 'control' };
  if (target.certainty === 'dynamic') {
    const inKnownPlace =
      target.path !== '' &&
      (isTemporary(target.spelled) || (isWithin(target.path, context.root) && target.path !== context.root));
    return recursive && !inKnownPlace ? { risk: 'destroy' } : {};
  }
  return isWithin(target.path, context.root) || isTemporary(target.path) ? {} : { risk: 'destroy' };
};
