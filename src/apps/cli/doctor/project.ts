import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../../core/model/errors.ts';
import { checkPrivateDirectory } from '../../../io/files/private-directory.ts';
import { riskyNames } from '../../../io/project/host-settings.ts';
import { type Ground, type Project, remembered } from '../../compose.ts';
import { type Row, rowsOf } from './row.ts';

const environment = rowsOf('environment.repository', "the repository's settings define nothing that hooks depend on");
const places = rowsOf('environment.places', "the user's directories are where the environment says");
const directories = rowsOf('state.directories', 'only this user can write the directories of hookwise');
const policy = rowsOf('policy.problems', 'every line of the configuration can be used');
const trusted = rowsOf('policy.untrusted', 'every widening line of the repository is trusted');
const memory = rowsOf('memory.lines', 'every line of the remembered decisions can be used');
const audit = rowsOf('audit.chain', 'the audit log is as it was written');

const mostRows = 50;

/** The first of many rows, and how many more there are. */
const capped = (rows: readonly Row[]): Row[] => {
  const last = rows.at(-1);
  if (rows.length <= mostRows || last === undefined) return [...rows];
  return [...rows.slice(0, mostRows), { ...last, detail: `and ${rows.length - mostRows} more` }];
};

/** What can be told before anything of hookwise's own is opened. */
export const groundRows = (ground: Ground): Row[] => {
  const risky = [...ground.repositoryEnv.definedIn].filter(([name]) => riskyNames(name));
  const { refused } = ground.places;
  return [
    ...risky.map(([name, file]) =>
      environment({ status: 'warn', detail: `${file} sets ${name}; hookwise does not use it`, fix: 'remove it there' }),
    ),
    ...(risky.length === 0 ? [environment({ status: 'ok', detail: ground.root.root })] : []),
    ...refused.map((line) =>
      places({ status: 'warn', detail: line, fix: 'set it to a directory outside the repository' }),
    ),
    ...(refused.length === 0 ? [places({ status: 'ok', detail: ground.places.state })] : []),
    ...directoryRows(ground),
  ];
};

const directoryRows = ({ places: { config, state, runtime } }: Ground): Row[] => {
  const looked = [config, state, runtime].flatMap((path) => [path, ...directoriesIn(path)]);
  const wrong = [...new Set(looked)].flatMap((path) => {
    try {
      checkPrivateDirectory(path);
      return [];
    } catch (thrown) {
      return [directories({ status: 'fail', detail: messageOf(thrown), fix: 'do what the detail says' })];
    }
  });
  return wrong.length > 0 ? wrong : [directories({ status: 'ok', detail: `${config}, ${state}, ${runtime}` })];
};

const directoriesIn = (path: string): string[] => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => join(path, entry.name));
  } catch {
    // Missing, or not to be looked into: the check of the directory itself says which.
    return [];
  }
};

/** What the project's own files and logs say. */
export const projectRows = (project: Project): Row[] => [
  ...policyRows(project),
  ...memoryRows(project),
  ...auditRows(project),
];

const policyRows = ({ policy: { problems } }: Project): Row[] => {
  const rows = problems.map(({ source, reason, severity }) =>
    policy({
      status: severity === 'broken' ? 'fail' : 'warn',
      detail: `${source.file}:${source.line}: ${reason}`,
      fix: 'change that line',
    }),
  );
  return rows.length === 0 ? [policy({ status: 'ok', detail: 'no problems' })] : capped(rows);
};

const memoryRows = (project: Project): Row[] => {
  let untrusted = project.policy.untrusted.length;
  const rows = project.locations.flatMap((location) => {
    try {
      const found = remembered(project, location);
      untrusted += found.untrusted;
      return found.problems.map(({ file, line, reason }) =>
        memory({ status: 'warn', detail: `${file}:${line}: ${reason}`, fix: 'mend or delete that line' }),
      );
    } catch (thrown) {
      return [memory({ status: 'fail', detail: messageOf(thrown), fix: 'do what the detail says' })];
    }
  });
  const lines = rows.length === 0 ? [memory({ status: 'ok', detail: 'no problems' })] : capped(rows);
  const trustRow =
    untrusted === 0
      ? trusted({ status: 'ok', detail: 'none waits' })
      : trusted({ status: 'warn', detail: `${untrusted} not in force`, fix: 'hookwise trust shows them' });
  return [trustRow, ...lines];
};

const auditRows = (project: Project): Row[] => {
  try {
    const { lines, problems } = project.audit.verify();
    if (problems.length === 0) return [audit({ status: 'ok', detail: `${lines} lines` })];
    return capped(
      problems.map(({ file, line, reason, kind }) =>
        audit({
          status: kind === 'broken' ? 'fail' : 'warn',
          detail: line === 0 ? `${file} ${reason}` : `${file}:${line}: ${reason}`,
          fix: kind === 'broken' ? 'find out who changed it; hookwise log verify repeats this' : '',
        }),
      ),
    );
  } catch (thrown) {
    return [audit({ status: 'fail', detail: messageOf(thrown), fix: 'do what the detail says' })];
  }
};
