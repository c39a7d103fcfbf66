import { join } from 'node:path';
import { messageOf } from '../../../core/model/errors.ts';
import { defaultSettings } from '../../../core/policy/defaults.ts';
import { type Ground, openGround, openProject, type Project, type Surroundings } from '../../compose.ts';
import { isGated } from '../../session.ts';
import { tryGate, tryRegistration } from '../canary.ts';
import { settingsFiles } from '../host-settings.ts';
import { clientRow, nodeRow } from './client.ts';
import { groundRows, projectRows } from './project.ts';
import { type Row, rowsOf } from './row.ts';
import { settingsReport } from './settings.ts';
import type { FoundHandler } from './settings-shape.ts';

const opens = rowsOf('project.opens', 'the project can be opened');
const canary = rowsOf('gate.live', 'the installed gate answers');

export interface Examination {
  readonly cwd: string;
  /** The client to ask for its version. */
  readonly client?: string | undefined;
}

/** Looks at everything that could leave somebody without the gate they count on. */
export const examine = (surroundings: Surroundings, { cwd, client }: Examination): Row[] => {
  const ground = openGround(surroundings, cwd);
  const opened = openOrWhy(surroundings, ground);
  const project = typeof opened === 'string' ? undefined : opened;
  const { rows, handlers } = settingsReport(settingsFiles(surroundings, ground.root.root), {
    hook: join(surroundings.installed, 'hookwise.cjs'),
    node: process.execPath,
    phaseSecs: phaseSecs(project),
    deadlineMs: deadlineMs(surroundings),
  });
  try {
    return [
      nodeRow(process.version, process.execPath),
      clientRow(surroundings.env, client),
      ...rows,
      ...groundRows(ground),
      ...(typeof opened === 'string'
        ? [opens({ status: 'fail', detail: opened, fix: 'do what the detail says' })]
        : projectRows(opened)),
      ...canaryRows(handlers, { surroundings, ground, project }),
    ];
  } finally {
    project?.observer.close();
  }
};

const openOrWhy = (surroundings: Surroundings, ground: Ground): Project | string => {
  try {
    return openProject(surroundings, ground);
  } catch (thrown) {
    return messageOf(thrown);
  }
};

/** Seconds a supervisor may take. */
const supervisorSecs = 30;

const phaseSecs = (project: Project | undefined): number => {
  const { humanTimeoutSecs, registrationTimeoutSecs } = project?.policy.settings ?? defaultSettings;
  return humanTimeoutSecs + registrationTimeoutSecs + supervisorSecs;
};

const deadlineMs = ({ env }: Surroundings): number => {
  const text = env['HOOKWISE_DEADLINE_MS'];
  return text !== undefined && /^\d{1,8}$/.test(text) ? Number(text) : 115_000;
};

interface Canary {
  readonly surroundings: Surroundings;
  readonly ground: Ground;
  readonly project: Project | undefined;
}

const statuses = { live: 'ok', unsure: 'warn', dead: 'fail' } as const;

const canaryRows = (handlers: readonly FoundHandler[], { surroundings, ground, project }: Canary): Row[] => {
  const place = {
    env: surroundings.env,
    root: ground.root.root,
    gated: project !== undefined && isGated(project),
  };
  const firstOf = (event: string) => handlers.find((found) => found.isOwn && found.event === event)?.handler;
  const gate = firstOf('PreToolUse');
  const prompt = firstOf('UserPromptSubmit');
  const trials = [
    ...(gate === undefined ? [] : [tryGate(gate, place)]),
    ...(prompt === undefined ? [] : [tryRegistration(prompt, place)]),
  ];
  if (gate === undefined)
    return [canary({ status: 'fail', detail: 'there is no installed hook to try', fix: 'hookwise init --user' })];
  return trials.map(({ what, outcome, detail }) =>
    canary({
      status: statuses[outcome],
      detail: `${what}: ${detail}`,
      ...(outcome === 'live' ? {} : { fix: 'look at the other rows first, then: hookwise init --user' }),
    }),
  );
};
