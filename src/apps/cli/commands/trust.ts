import type { WideningLine } from '../../../core/model/policy.ts';
import { branchReader, parseRemoteBranch } from '../../../io/project/git-blob.ts';
import type { Project } from '../../compose.ts';
import { type Command, type ExitCode, type Invocation, textOption, UsageError } from '../command.ts';
import { confirm as askAtTerminal } from '../confirm.ts';
import { logChange } from '../log-change.ts';
import { projectHere, requirePerson } from '../open.ts';
import { clean } from '../pending-words.ts';
import { digestsInBranch, wideningLines } from '../widening-lines.ts';

/** Puts lines of a repository into force that give agents more than they would have without them. */
export const trust: Command = {
  name: 'trust',
  summary: "show the repository's lines that widen what agents may do, and put them into force",
  usage: '[--list] [--yes] [--follow <remote>/<branch>] [--revoke]',
  examples: [
    'hookwise trust',
    'hookwise trust --list',
    'hookwise trust --follow origin/main',
    'hookwise trust --revoke',
  ],
  options: {
    list: { type: 'boolean' },
    yes: { type: 'boolean' },
    follow: { type: 'string' },
    revoke: { type: 'boolean' },
  },
  takesWords: false,
  run: (invocation) => {
    const { options } = invocation;
    const modes = ['list', 'follow', 'revoke'].filter((name) => options[name] !== undefined);
    if (modes.length > 1) throw new UsageError(`${modes.map((name) => `--${name}`).join(' and ')} exclude each other`);
    if (options['list'] === true) return list(invocation, projectHere(invocation));
    requirePerson(invocation, 'trust a repository');
    const project = projectHere(invocation);
    complainOfStore(invocation, project);
    const branch = textOption(options, 'follow');
    if (branch !== undefined) return follow(invocation, project, branch);
    return options['revoke'] === true ? revoke(invocation, project) : trustShown(invocation, project);
  },
};

const complainOfStore = ({ complain }: Invocation, { trust: store, policy }: Project): void => {
  const problem = store.problem();
  if (problem !== undefined) complain(clean(problem));
  for (const { source, reason, severity } of policy.problems)
    if (severity === 'broken')
      complain(`${clean(source.file)}:${source.line}: ${clean(reason)}; what it says is not shown`);
};

const counted = (count: number): string => `${count} line${count === 1 ? '' : 's'}`;

const show = ({ print }: Invocation, lines: readonly WideningLine[]): void => {
  for (const { source, statement } of lines) print(`  ${clean(source.file)}:${source.line}  ${clean(statement)}`);
};

const list = (invocation: Invocation, project: Project): ExitCode => {
  complainOfStore(invocation, project);
  const lines = wideningLines(project);
  invocation.print(`${counted(project.trust.list().size)} trusted, ${lines.length} not:`);
  show(invocation, lines);
  return 0;
};

const nothingNew = 'Nothing to trust: no line of this repository waits for it.';

const trustShown = async (invocation: Invocation, project: Project): Promise<ExitCode> => {
  const { print } = invocation;
  const lines = wideningLines(project);
  if (lines.length === 0) {
    print(nothingNew);
    return 0;
  }
  print(`These lines of ${clean(project.root.root)} widen what agents may do, and are not in force:`);
  show(invocation, lines);
  return record(invocation, { project, lines, question: `Trust ${counted(lines.length)}?` });
};

const follow = async (invocation: Invocation, project: Project, name: string): Promise<ExitCode> => {
  const { print, complain, surroundings } = invocation;
  const branch = parseRemoteBranch(name);
  if (branch === undefined)
    throw new UsageError('--follow names a fetched branch as <remote>/<branch>, e.g. origin/main');
  const lines = wideningLines(project);
  if (lines.length === 0) {
    print(nothingNew);
    return 0;
  }
  const read = branchReader(project.root.root, { branch, env: surroundings.env });
  const { digests, failed } = digestsInBranch(project, { surroundings, read });
  if (failed.length > 0) {
    for (const why of failed) complain(clean(why));
    throw new Error(`${name} cannot be read; nothing was trusted`);
  }
  const standing = lines.filter(({ digest }) => digests.has(digest));
  const others = lines.filter(({ digest }) => !digests.has(digest));
  if (others.length > 0) {
    print(`Not trusted, since ${clean(name)} does not hold them as they are here:`);
    show(invocation, others);
  }
  if (standing.length === 0) return others.length > 0 ? 1 : 0;
  print(`These lines widen what agents may do, and stand in ${clean(name)} as well:`);
  show(invocation, standing);
  return record(invocation, { project, lines: standing, question: `Trust ${counted(standing.length)}?` });
};

interface Recording {
  readonly project: Project;
  readonly lines: readonly WideningLine[];
  readonly question: string;
}

const isYes = ({ options, confirm = askAtTerminal }: Invocation, question: string): Promise<boolean> =>
  options['yes'] === true ? Promise.resolve(true) : confirm(question);

/** Exactly the lines that were shown: each is named by the digest of what it says. */
const record = async (invocation: Invocation, { project, lines, question }: Recording): Promise<ExitCode> => {
  const { print, surroundings } = invocation;
  if (!(await isYes(invocation, question))) {
    print('Nothing was trusted.');
    return 1;
  }
  const mark = { who: `user:${surroundings.user}`, when: new Date(surroundings.now()).toISOString() };
  project.trust.addTrusted(
    lines.map(({ digest }) => digest),
    mark,
  );
  logChange(invocation, project, {
    event: 'trusted',
    root: project.root.root,
    count: lines.length,
    lines: lines.map(({ source, statement }) => `${source.file}:${source.line} ${statement}`).join('\n'),
    actor: mark.who,
  });
  print(`Trusted ${counted(lines.length)}.`);
  return 0;
};

const revoke = async (invocation: Invocation, project: Project): Promise<ExitCode> => {
  const { print, surroundings } = invocation;
  const digests = [...project.trust.list().keys()];
  if (digests.length === 0) {
    print('Nothing is trusted in this repository.');
    return 0;
  }
  if (!(await isYes(invocation, `Take back the trust in ${counted(digests.length)} of ${clean(project.root.root)}?`))) {
    print('Nothing was changed.');
    return 1;
  }
  project.trust.removeTrusted(digests);
  const actor = `user:${surroundings.user}`;
  logChange(invocation, project, { event: 'trust-revoked', root: project.root.root, count: digests.length, actor });
  print(`${counted(digests.length)} no longer trusted.`);
  return 0;
};
