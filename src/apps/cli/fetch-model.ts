import { join } from 'node:path';
import type { Project } from '../compose.ts';
import { type Invocation, type OptionValues, textOption, UsageError } from './command.ts';
import { byteText, shown } from './shown.ts';

/** The options that fetch a model of embeddings. */
export const modelOptions = {
  'fetch-model': { type: 'boolean' },
  model: { type: 'string' },
  revision: { type: 'string' },
  pooling: { type: 'string' },
  from: { type: 'string' },
} as const;

/** The model that is to be fetched. */
export interface ModelWish {
  readonly name?: string;
  readonly revision?: string;
  readonly pooling?: 'cls' | 'mean';
  readonly baseUrl?: string;
}

/** What the options ask for; nothing without `--fetch-model`. */
export const modelWish = (options: OptionValues): ModelWish | undefined => {
  const given = ['model', 'revision', 'pooling', 'from'].filter((name) => options[name] !== undefined);
  if (options['fetch-model'] !== true) {
    if (given.length > 0)
      throw new UsageError(`${given.map((name) => `--${name}`).join(', ')}: only together with --fetch-model`);
    return undefined;
  }
  const [name, revision, pooling, baseUrl] = ['model', 'revision', 'pooling', 'from'].map((option) =>
    textOption(options, option),
  );
  if (pooling !== undefined && pooling !== 'cls' && pooling !== 'mean')
    throw new UsageError('--pooling must be cls or mean');
  return {
    ...(name === undefined ? {} : { name }),
    ...(revision === undefined ? {} : { revision }),
    ...(pooling === undefined ? {} : { pooling }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
};

/** A model that is on disk now. */
export interface FetchedModel {
  readonly name: string;
  readonly revision: string;
  readonly bytes: number;
  readonly directory: string;
}

/** Fetches it into the state directory: the one named, the one that the configuration names, or the usual one. */
export const fetchModelHere = async (
  { complain }: Pick<Invocation, 'complain'>,
  project: Project,
  wish: ModelWish,
): Promise<FetchedModel> => {
  const { fetchModel } = await import('../../io/embedders/fetch-model.ts');
  const { embeddingModel } = project.policy.settings;
  const directory = join(project.places.state, 'models');
  let last = '';
  const manifest = await fetchModel({
    ...(embeddingModel === undefined ? {} : { name: embeddingModel }),
    ...wish,
    directory,
    onProgress: ({ file }) => {
      if (file !== last) complain(`fetching ${file}`);
      last = file;
    },
  });
  const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  return { name: manifest.name, revision: manifest.revision, bytes, directory };
};

/** What was fetched, for people. */
export const modelLine = ({ name, revision, bytes, directory }: FetchedModel): string =>
  `Fetched ${shown(name)} at ${revision.slice(0, 12)}: ${byteText(bytes)}, in ${shown(directory)}. Nothing asks it before the configuration names it: embedding_model.`;
