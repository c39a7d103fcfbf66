import { spawn } from 'node:child_process';
import type { JsonRecord } from '../model/json.ts';
import { type Script, type ShownResult, shownResults } from '../model/script.ts';
import { type ModelServer, type Recorded, startModel } from '../model/server.ts';
import { type ClientVersion, installClient } from './install.ts';
import { type ClientStream, parseStream } from './stream.ts';
import { userPlaces } from './workspace.ts';

/** One headless run of the client. */
export type ClientRun = {
  readonly version: ClientVersion;
  readonly project: string;
  readonly home: string;
  /** Arguments beyond the usual headless ones. */
  readonly args?: readonly string[];
  /** Variables beyond the clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly script: Script;
  readonly timeoutMs?: number;
};

/** What a run left behind. */
export type ClientOutcome = ClientStream & {
  readonly exitCode: number | null;
  readonly raw: string;
  readonly stderr: string;
  /** Everything the model server was asked, in order. */
  readonly requests: readonly Recorded[];
  readonly surprises: readonly string[];
  /** All tool results that the model was shown on a lane, oldest first. */
  readonly shownTo: (lane: string) => readonly ShownResult[];
};

type Ended = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

const usualArguments = ['-p', 'go', '--output-format', 'stream-json', '--verbose'];
const defaultTimeoutMs = 45_000;

/** The environment a client starts with: nothing of the developer's own but where programs are. */
const cleanEnvironment = (home: string, modelUrl: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  HOME: home,
  ...userPlaces(home),
  ANTHROPIC_BASE_URL: modelUrl,
  ANTHROPIC_API_KEY: 'sk-ant-made-up-for-the-scripted-model',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  LANG: 'C.UTF-8',
});

const endGroup = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The group may be gone already; anything else is a real failure.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

const spawnClient = (
  executable: string,
  run: ClientRun & { readonly environment: Record<string, string>; readonly timeoutMs: number },
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(executable, [...usualArguments, ...(run.args ?? [])], {
      cwd: run.project,
      env: run.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
    const timer = setTimeout(() => {
      endGroup(child.pid);
      const tail = `${text(stdout).slice(-2000)}\n${text(stderr).slice(-1000)}`;
      reject(new Error(`claude-code ${run.version} did not end within ${run.timeoutMs} ms; its last output:\n${tail}`));
    }, run.timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout: text(stdout), stderr: text(stderr) });
    });
  });

const lastBodyOn = (requests: readonly Recorded[], lane: string): JsonRecord | undefined =>
  requests.flatMap((request) => (request.kind === 'turn' && request.lane === lane ? [request.body] : [])).at(-1);

const outcomeOf = (ended: Ended, model: ModelServer): ClientOutcome => ({
  ...parseStream(ended.stdout),
  exitCode: ended.exitCode,
  raw: ended.stdout,
  stderr: ended.stderr,
  requests: model.requests,
  surprises: model.surprises,
  shownTo: (lane) => {
    const body = lastBodyOn(model.requests, lane);
    return body === undefined ? [] : shownResults(body);
  },
});

/** Runs the real client once against a scripted model and reports what came of it. */
export const runClient = async (run: ClientRun): Promise<ClientOutcome> => {
  const install = await installClient(run.version);
  if (install.kind === 'absent') throw new Error(`claude-code ${run.version}: ${install.reason}`);
  const model = await startModel(run.script);
  try {
    const environment = { ...cleanEnvironment(run.home, model.url), ...run.env };
    const timeoutMs = run.timeoutMs ?? defaultTimeoutMs;
    return outcomeOf(await spawnClient(install.executable, { ...run, environment, timeoutMs }), model);
  } finally {
    await model.stop();
  }
};
