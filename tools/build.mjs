// @ts-check
/**
 * Builds dist/: the programs as single CommonJS files, the library as ES modules, and its type declarations.
 * Usage: node tools/build.mjs [--no-types] [root]
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/** Each program, and whether it is started directly. */
const programs = [
  { name: 'hookwise', entry: 'src/apps/hook/main.ts', isExecutable: true },
  { name: 'cli', entry: 'src/apps/cli/main.ts', isExecutable: false },
  { name: 'shell', entry: 'src/apps/hook/shell.ts', isExecutable: false },
  { name: 'similar', entry: 'src/apps/hook/similar.ts', isExecutable: false },
  { name: 'compile-policy', entry: 'src/apps/hook/compile-policy.ts', isExecutable: false },
];
const shebang = '#!/usr/bin/env node\n';
// Stands in the programs for the digest of all of them, and is as long.
const buildPlaceholder = '@hookwise-build-digest-goes-here';

/** @typedef {{ file: string, bytes: Uint8Array, isExecutable: boolean }} Artefact */

/** @param {string} root */
const libraryEntries = (root) =>
  (existsSync(join(root, 'src')) ? readdirSync(join(root, 'src')) : [])
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'))
    .map((name) => `src/${name}`)
    .sort();

/** @param {string} root */
const missingEntries = (root) =>
  [...programs.map((program) => program.entry), 'src/index.ts'].filter((entry) => !existsSync(join(root, entry)));

/** @param {string} root */
const shared = (root) =>
  /** @type {const} */ ({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    outdir: 'dist',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });

/** @param {string} root */
const bundlePrograms = (root) =>
  build({
    ...shared(root),
    entryPoints: programs.map(({ name, entry }) => ({ in: entry, out: name })),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minify: true,
    define: {
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      BUILD: JSON.stringify(buildPlaceholder),
    },
  });

/** @param {string} root */
const bundleLibrary = (root) =>
  build({
    ...shared(root),
    entryPoints: libraryEntries(root),
    format: 'esm',
    packages: 'external',
    // Shared code stays one module, so that an error class is the same one from every entry.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    define: { BUILD: JSON.stringify(buildPlaceholder) },
  });

/** Names this build by what is in its programs, so that what one build compiled is not taken for another's. The library
 * carries the same name: it compiles with the same sources.
 * @param {readonly Artefact[]} ofPrograms
 * @param {readonly Artefact[]} ofLibrary
 * @returns {Artefact[]} */
const nameBuild = (ofPrograms, ofLibrary) => {
  const hash = createHash('sha256');
  for (const { file, bytes } of ofPrograms) hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  const digest = hash.digest('hex').slice(0, buildPlaceholder.length);
  return [...ofPrograms, ...ofLibrary].map((one) => ({
    ...one,
    bytes: Buffer.from(Buffer.from(one.bytes).toString('utf8').replaceAll(buildPlaceholder, digest)),
  }));
};

/** Turns esbuild's files into what is written: programs that are started get a shebang.
 * @param {string} root
 * @param {import('esbuild').OutputFile} output
 * @returns {Artefact} */
const artefact = (root, { path, contents, text }) => {
  const file = relative(join(root, 'dist'), path);
  const isExecutable = programs.some((program) => program.isExecutable && `${program.name}.cjs` === file);
  return isExecutable
    ? { file, bytes: Buffer.from(shebang + text.replace(/^#!.*\n/, '')), isExecutable }
    : { file, bytes: contents, isExecutable };
};

/** @param {string} input */
const packageOf = (input) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];

/** The licence texts of the packages inside the programs, which their licences ask us to pass on.
 * @param {string} root
 * @param {import('esbuild').Metafile} metafile
 * @returns {Artefact} */
const licences = (root, metafile) => {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const directories = new Map(
    inputs.flatMap((input) => {
      const name = packageOf(input);
      return name === undefined ? [] : [[name, join(root, input.slice(0, input.lastIndexOf(`/${name}/`)), name)]];
    }),
  );
  const texts = [...directories].sort().map(([name, directory]) => {
    const file = readdirSync(directory).find((candidate) => /^licen[cs]e/i.test(candidate));
    if (file === undefined) throw new Error(`${name} is bundled but ${directory} holds no licence file`);
    return `${name}\n\n${readFileSync(join(directory, file), 'utf8').trim()}\n`;
  });
  return { file: 'licences.txt', bytes: Buffer.from(texts.join(`\n${'-'.repeat(80)}\n\n`)), isExecutable: false };
};

/** @param {string} root
 * @param {string} staging */
const declareTypes = async (root, staging) => {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const outDir = join(staging, 'types');
  const args = [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', outDir];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root });
  } catch (error) {
    const text = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`the type declarations could not be written\n${text === '' ? error : text}`);
  }
  for (const name of readdirSync(outDir, { encoding: 'utf8', recursive: true })) {
    if (name.endsWith('.d.ts')) rewriteImports(join(outDir, name));
  }
};

/** The compiler leaves `./x.ts` in declarations, where only `x.d.ts` is shipped: `./x.js` is what every consumer resolves.
 * @param {string} file */
const rewriteImports = (file) => {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/\b(from\s+|import\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.js$2'));
};

/** @param {string} staging
 * @param {readonly Artefact[]} artefacts */
const write = (staging, artefacts) => {
  for (const { file, bytes, isExecutable } of artefacts) {
    const path = join(staging, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    chmodSync(path, isExecutable ? 0o755 : 0o644);
  }
};

/** Puts the finished build in dist's place, so that a failed build never leaves half of one.
 * @param {string} root
 * @param {string} staging */
const publish = (root, staging) => {
  const dist = join(root, 'dist');
  const old = `${staging}.old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(staging, dist);
  rmSync(old, { recursive: true, force: true });
};

/** One line per program: its size, and which packages make it so large.
 * @param {import('esbuild').Metafile} metafile */
const summary = (metafile) =>
  Object.entries(metafile.outputs)
    .filter(([file]) => !file.includes('/chunks/'))
    .map(([file, output]) => {
      const bySource = new Map();
      for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
        const source = packageOf(input) ?? 'src';
        bySource.set(source, (bySource.get(source) ?? 0) + bytesInOutput);
      }
      const sources = [...bySource].sort(([, a], [, b]) => b - a).map(([name, bytes]) => `${name} ${kilobytes(bytes)}`);
      return `${basename(file).padEnd(20)} ${kilobytes(output.bytes).padStart(9)}   ${sources.join(', ')}`;
    })
    .join('\n');

/** @param {number} bytes */
const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;

/** @param {{ root: string, withTypes: boolean }} options */
const buildAll = async ({ root, withTypes }) => {
  const missing = missingEntries(root);
  if (missing.length > 0) throw new Error(`these entry files are missing:\n${missing.map((f) => `  ${f}`).join('\n')}`);
  const staging = join(root, '.tmp', `build-${process.pid}`);
  const types = withTypes ? declareTypes(root, staging) : undefined;
  try {
    const [bundled, library] = await Promise.all([bundlePrograms(root), bundleLibrary(root), types]);
    const metafile = {
      inputs: { ...library.metafile.inputs, ...bundled.metafile.inputs },
      outputs: { ...library.metafile.outputs, ...bundled.metafile.outputs },
    };
    const [ofPrograms, ofLibrary] = [bundled, library].map(({ outputFiles }) =>
      outputFiles.map((output) => artefact(root, output)),
    );
    const files = nameBuild(ofPrograms ?? [], ofLibrary ?? []);
    const meta = { file: 'meta.json', bytes: Buffer.from(JSON.stringify(metafile)), isExecutable: false };
    write(staging, [...files, licences(root, bundled.metafile), meta]);
    publish(root, staging);
    return summary(metafile);
  } finally {
    // The compiler may still write when a bundle has failed; its own failure is thrown above.
    await types?.catch(() => undefined);
    rmSync(staging, { recursive: true, force: true });
  }
};

const args = process.argv.slice(2);
const root = resolve(args.find((arg) => !arg.startsWith('--')) ?? fileURLToPath(new URL('..', import.meta.url)));
try {
  console.log(await buildAll({ root, withTypes: !args.includes('--no-types') }));
} catch (error) {
  console.error(`build failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
