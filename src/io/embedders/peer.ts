import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errors, messageOf } from '../../core/model/errors.ts';
import { errorCode } from '../files/private-directory.ts';

/**
 * Loads a package that the user installs: from beside hookwise, or from beside one of `places` (directories, tried in
 * order). Rejects with HookwiseError `Embedding`, which says what to do, when it is nowhere or cannot be loaded.
 */
export const loadPeer = async (name: string, places: readonly string[] = []): Promise<unknown> => {
  const file = [import.meta.dirname, ...places]
    .map((place) => findIn(place, name))
    .find((found) => found !== undefined);
  if (file === undefined) {
    throw errors.embedding(`the package ${name} is not installed; install it beside hookwise: npm install ${name}`);
  }
  try {
    const loaded: unknown = await import(pathToFileURL(file).href);
    return defaultOf(loaded);
  } catch (thrown) {
    throw errors.embedding(`the package ${name} cannot be loaded: ${messageOf(thrown)}`);
  }
};

/** The file of a package beside hookwise or one of `places`; nothing when it is nowhere. */
export const findPeer = (name: string, places: readonly string[]): string | undefined =>
  [import.meta.dirname, ...places].map((place) => findIn(place, name)).find((found) => found !== undefined);

const notThere = ['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'];

const findIn = (place: string, name: string): string | undefined => {
  try {
    return createRequire(join(place, 'any.js')).resolve(name);
  } catch (thrown) {
    if (notThere.includes(errorCode(thrown))) return undefined;
    throw errors.embedding(`the package ${name} in ${place} cannot be read: ${messageOf(thrown)}`);
  }
};

/** CommonJS packages arrive as the default of a module. */
const defaultOf = (loaded: unknown): unknown =>
  typeof loaded === 'object' && loaded !== null && 'default' in loaded && loaded.default !== undefined
    ? loaded.default
    : loaded;
