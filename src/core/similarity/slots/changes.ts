import type { SlotRow } from './row.ts';

/** Builds by number of jobs, small changes to the project and its history, and looks at the forge. */
export const changeRows: readonly SlotRow[] = [
  { programs: 'make gmake ninja', flags: '-s -k --silent', slots: '-j=count' },
  { programs: 'cmake', needs: '--build', values: '--build --target --config', slots: '-j=count --parallel=count' },
  // Small changes to the project and its history.
  { programs: 'git', sub: 'add', flags: '-v --verbose -- -N --intent-to-add', operands: 'file' },
  { programs: 'git', sub: 'restore', needs: '--staged', flags: '-q --staged --', operands: 'path' },
  {
    programs: 'git',
    sub: 'commit',
    flags: '-a --all -q --quiet -s --signoff -v --verbose --allow-empty',
    slots: '-m=message --message=message -am=message -qm=message -sm=message -asm=message',
  },
  {
    programs: 'git',
    sub: 'stash|stash push|stash save',
    flags: '-u --include-untracked -k --keep-index -q',
    slots: '-m=message --message=message',
  },
  { programs: 'git', sub: 'switch', flags: '-q', slots: '-c=ref --create=ref', operands: 'ref' },
  { programs: 'git', sub: 'checkout', slots: '-b=ref' },
  { programs: 'mkdir', flags: '-p -v -pv --parents --verbose', operands: 'path', writes: 'always' },
  { programs: 'touch', operands: 'path', writes: 'always' },
  { programs: 'cp', flags: '-v -n -p', operands: 'path', writes: 'always' },
  { programs: 'sleep', operands: 'number' },
  // Reading from the forge, by number.
  {
    programs: 'gh',
    sub: 'pr view|pr diff|pr checks|issue view|run view',
    flags: '--comments --log --log-failed --name-only --watch',
    values: '--json -q --jq',
    slots: '--job=number -j=count',
    operands: 'number',
  },
  {
    programs: 'gh',
    sub: 'pr list|issue list|run list',
    values: '--state -s --json -q --jq',
    slots: '--limit=number -L=number',
  },
];
