/** A working directory; undefined when nothing is known of it. */
export type Directory = string | undefined;

/** The part of a scope that says where the shell stands. */
export interface Standing {
  cwd: Directory;
  /** Where else it may stand, because a `cd` before may have failed or not have run. */
  otherCwds: readonly Directory[];
  /** Where it stands if the last `cd` failed, as long as nobody has looked; undefined when it cannot fail. */
  failedCwds: readonly Directory[] | undefined;
  /** `set -e`: a command that fails ends the shell. */
  readonly errexit: boolean;
}

const maxDirectories = 6;

// The shortest are kept: what stands higher up loses more.
const distinct = (list: readonly Directory[], except: Directory): readonly Directory[] => {
  const others = [...new Set(list)].filter((one) => one !== except);
  if (others.length <= maxDirectories) return others;
  const known = others.filter((one) => one !== undefined).sort((one, other) => one.length - other.length);
  return [...known.slice(0, maxDirectories - 1), undefined];
};

const standAt = (standing: Standing, places: readonly Directory[]): void => {
  standing.cwd = places[0];
  standing.otherCwds = distinct(places.slice(1), places[0]);
  standing.failedCwds = undefined;
};

/** Every directory where the shell may stand, the likely one first. */
const directoriesOf = (standing: Standing): readonly Directory[] => [
  standing.cwd,
  ...standing.otherCwds,
  ...(standing.failedCwds ?? []),
];

/** Records a `cd`: where it leads from each place, and that it may have failed. */
export const enterDirectory = (
  standing: Standing,
  lead: (from: Directory) => Directory,
  options: { readonly sure: boolean },
): void => {
  const before = directoriesOf(standing);
  standAt(standing, before.map(lead));
  if (!options.sure)
    standing.failedCwds = distinct(before, undefined).concat(before.includes(undefined) ? [undefined] : []);
};

/** The last `cd` has worked. */
export const assumeEntered = (standing: Standing): void => {
  standing.failedCwds = undefined;
};

/** The last `cd`, if there was one, has failed. */
export const assumeFailed = (standing: Standing): void => {
  if (standing.failedCwds !== undefined) standAt(standing, standing.failedCwds);
};

/** Nobody has looked whether the last `cd` worked. */
export const settleDirectory = (standing: Standing): void => {
  if (standing.failedCwds === undefined) return;
  if (standing.errexit) assumeEntered(standing);
  else standAt(standing, directoriesOf(standing));
};

/** After several ways: anywhere where one of them leads. */
export const mergeDirectories = (target: Standing, ways: readonly Standing[]): void =>
  standAt(target, ways.flatMap(directoriesOf));
