import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileSources } from './compile-sources.ts';
import { type LoadedPolicy, type LoadOptions, loadPolicy } from './load.ts';

/** A repository, a configuration and a state directory of their own, in real files. */
export const configSandbox = () => {
  const home = mkdtempSync(join(tmpdir(), 'hookwise-config-'));
  let compiled = 0;
  const at = (path: string): string => join(home, path);
  return {
    at,
    /** How often the compiler has run. */
    compiled: (): number => compiled,
    write: (path: string, text: string | Uint8Array): void => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    load: (change: Partial<LoadOptions> = {}): LoadedPolicy =>
      loadPolicy({
        root: at('repo'),
        configDir: at('config'),
        stateDir: at('state'),
        remotes: [],
        isTrusted: () => false,
        trustSignature: 'none',
        key: new Uint8Array(32).fill(7),
        build: 'test',
        loadCompiler: () => (places, read) => {
          compiled += 1;
          return compileSources(places, read);
        },
        ...change,
      }),
    remove: (): void => rmSync(home, { recursive: true, force: true }),
  };
};

/** A line of policy that is easy to see in the result. */
export const timeout = (secs: number): string => `human_timeout_secs: ${secs}\n`;
