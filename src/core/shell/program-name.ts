import { hasNonAscii } from './characters.ts';
import { couldMatchName } from './glob-match.ts';
import { baseName, isWithin } from './lexical-path.ts';
import type { ShellEffect, WordReading } from './model.ts';
import { hidden, type Program, type Tools, uncovered } from './tools.ts';
import { shapeOf } from './words.ts';

/** Finds programs by name. */
export type Registry = ReadonlyMap<string, Program>;

/** What the first word of a command names. */
export interface ResolvedName {
  readonly name: string;
  /** Set when it was named by a path. */
  readonly path?: string;
  /** Names under which it may be known. */
  readonly candidates: readonly string[];
  readonly why?: string;
}

// Names that a pattern or a gap in the program word must not hide.
const dangerous = [
  'rm',
  'dd',
  'mv',
  'shred',
  'chmod',
  'chown',
  'sh',
  'bash',
  'zsh',
  'dash',
  'find',
  'git',
  'curl',
  'mkfs',
  'sudo',
  'env',
  'eval',
  'python3',
  'node',
  'hookwise',
];

/** Finds out which program is meant, as far as the word tells. */
export const resolveName = (word: WordReading, registry: Registry): ResolvedName => {
  if (word.kind === 'glob') {
    const pattern = baseName(word.text);
    const candidates = dangerous.filter((name) => couldMatchName(pattern, name));
    return { name: candidates[0] ?? pattern, candidates, why: 'program named by a pattern' };
  }
  const text = word.kind === 'literal' ? word.text : word.shape;
  const name = baseName(text);
  const plain = name.replaceAll('\uE000', '');
  const lower = registry.has(plain) ? plain : plain.toLowerCase();
  const candidates = lower === '' ? [] : [lower];
  const path = text.includes('/') ? text : undefined;
  const why = word.kind === 'dynamic' || word.computed ? 'program name is computed' : undefined;
  return { name: plain, candidates, ...(path === undefined ? {} : { path }), ...(why === undefined ? {} : { why }) };
};

/** What is odd about the way a program is named. */
export const nameEffects = (word: WordReading, resolved: ResolvedName): ShellEffect[] => {
  const effects: ShellEffect[] = [];
  if (resolved.why !== undefined) effects.push(hidden(resolved.why));
  const text = shapeOf(word).replaceAll('\uE000', '');
  if (hasNonAscii(text) || /\s/.test(text)) effects.push(hidden('program name has unusual characters'));
  if (/^=[A-Za-z]/.test(text)) effects.push(hidden('zsh form of a program name'));
  return effects;
};

const programFolders =
  /^(?:\/usr)?(?:\/local)?\/s?bin\/[^/]+$|^\/opt\/(?:homebrew|local)\/s?bin\/[^/]+$|^\/snap\/bin\/[^/]+$|^\/nix\/.*\/bin\/[^/]+$/;

/** A program named by its path is a file that runs, unless it is where the system keeps programs. */
export const pathEffects = (resolved: ResolvedName, tools: Tools): readonly ShellEffect[] => {
  if (resolved.path === undefined) return [];
  const target = tools.target({ kind: 'literal', text: resolved.path });
  if (target.certainty === 'literal' && programFolders.test(target.path)) return [];
  const written = tools.walk.files.get(target.path);
  const fetched = written?.from.some((taint) => taint === 'network' || taint === 'decoded') === true;
  const effects: ShellEffect[] = [
    { kind: 'run', program: resolved.name, script: target.path, ...(fetched ? { risk: 'fetched-code' as const } : {}) },
  ];
  if (fetched)
    effects.push({ kind: 'catastrophe', what: 'runs a file fetched in the same call', risk: 'fetched-code' });
  if (target.certainty !== 'literal') effects.push(hidden('program path is computed'));
  if (written?.text !== undefined) tools.shell({ kind: 'literal', text: written.text });
  else if (written !== undefined) effects.push(hidden('runs a file written in the same call'));
  else if (!isWithin(target.path, tools.context.root))
    effects.push(uncovered(`program outside the project: ${target.path}`));
  return effects;
};
