import { relative } from 'node:path';
import { gitAt } from '../../../io/scan/git.ts';
import { type ExitCode, type Invocation, textOption, UsageError } from '../command.ts';
import { confirm as askAtTerminal } from '../confirm.ts';
import { callerHere, refuseAgent } from '../open.ts';
import { shown } from '../shown.ts';
import { scanLine } from './hook-block.ts';
import { type HookKind, type HookPlace, hookKinds } from './hook-place.ts';
import { type HookChange, type HookOffer, planHook, recordProgram, removeHooks, writeHook } from './pre-commit.ts';

/** What a person said about the hook on the command line. */
export type HookWish = HookKind | 'none' | 'remove' | undefined;

/** Reads `--pre-commit` and `--remove-pre-commit`, and makes sure that whoever names a hook may change it. */
export const hookWish = (invocation: Invocation): HookWish => {
  const { options } = invocation;
  const named = textOption(options, 'pre-commit');
  const isRemoval = options['remove-pre-commit'] === true;
  if (named !== undefined && isRemoval) throw new UsageError('--pre-commit and --remove-pre-commit say the opposite');
  const wish = isRemoval ? 'remove' : [...hookKinds, 'none' as const].find((kind) => kind === named);
  if (named !== undefined && wish === undefined)
    throw new UsageError(`--pre-commit takes ${[...hookKinds, 'none'].join(', ')}`);
  if (wish === undefined || wish === 'none' || options['dry-run'] === true) return wish;
  refuseAgent(invocation, "change a repository's hooks");
  if (options['yes'] !== true && callerHere(invocation).kind !== 'terminal')
    throw new UsageError('nobody is at a terminal here: look at it with --dry-run, then give --yes');
  return wish;
};

/** Takes the hook out of the repository. */
export const removeHook = (invocation: Invocation, root: string): ExitCode => {
  const { surroundings, options, print } = invocation;
  const dryRun = options['dry-run'] === true;
  const changed = removeHooks(root, { git: gitAt(root, surroundings.env), dryRun });
  for (const place of changed) print(`${dryRun ? 'would take' : 'took'} the scan out of ${nameOf(place, root)}`);
  if (changed.length === 0) print('pre-commit: no hook of this repository runs the scan');
  if (dryRun) print('dry run: nothing was written');
  return 0;
};

/** Adds the hook when a person wants it, else says how it is added. */
export const offerHook = async (invocation: Invocation, root: string, wish: HookWish): Promise<void> => {
  if (wish === 'none' || wish === 'remove') return;
  const { surroundings, options, print } = invocation;
  const git = gitAt(root, surroundings.env);
  const offer = planHook(root, git, wish);
  switch (offer.kind) {
    case 'nowhere':
    case 'by hand':
      if (wish !== undefined && options['dry-run'] !== true)
        throw new Error(`the hook cannot be added: ${refusalOf(offer, root)}`);
      print(`pre-commit: not added: ${refusalOf(offer, root)}`);
      return;
    case 'in place':
      if (mayWrite(invocation)) recordProgram(git, surroundings.installed);
      print(`pre-commit: ${nameOf(offer.place, root)} scans what is staged of .hookwise/`);
      return;
    case 'change': {
      const isWanted = wish !== undefined || (await isConfirmed(invocation, offer.change, root));
      if (!isWanted || options['dry-run'] === true) {
        print(suggestion(offer.change, root, options['dry-run'] === true));
        return;
      }
      writeHook(offer.change, { git, installed: surroundings.installed });
      const { place } = offer.change;
      print(`pre-commit: ${nameOf(place, root)} now scans what is staged of .hookwise/${advice(place)}`);
    }
  }
};

const nameOf = ({ path }: HookPlace, root: string): string => {
  const name = relative(root, path);
  return shown(name.startsWith('..') ? path : name);
};

const advice = ({ isShared }: HookPlace): string => (isShared ? '; commit it, so that others have it too' : '');

const byHand = `in your hook before each commit, run: ${scanLine}`;

const refusalOf = (offer: Extract<HookOffer, { kind: 'nowhere' | 'by hand' }>, root: string): string =>
  offer.kind === 'nowhere' ? offer.why : `${nameOf(offer.place, root)}: ${offer.why}; ${byHand}`;

const suggestion = ({ place }: HookChange, root: string, dryRun: boolean): string =>
  dryRun
    ? `pre-commit: would be added to ${nameOf(place, root)}`
    : `pre-commit: not added. A person adds it to ${nameOf(place, root)} with: hookwise init --pre-commit ${place.kind}; or ${byHand}`;

/** A person at a terminal, or a script that was told to go on. */
const mayWrite = (invocation: Invocation): boolean => {
  const { kind } = callerHere(invocation);
  const { options } = invocation;
  return options['dry-run'] !== true && (kind === 'terminal' || (kind === 'script' && options['yes'] === true));
};

const isConfirmed = async (invocation: Invocation, { place }: HookChange, root: string): Promise<boolean> => {
  if (!mayWrite(invocation)) return false;
  if (invocation.options['yes'] === true) return true;
  const ask = invocation.confirm ?? askAtTerminal;
  return ask(`Add a hook to ${nameOf(place, root)} that keeps secrets out of .hookwise/ (${scanLine})?`);
};
