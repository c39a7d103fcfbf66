import manifest from '../../../package.json' with { type: 'json' };

/** The version in the package manifest. */
export const version: string = manifest.version;
