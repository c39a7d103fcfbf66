import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Block, call, laneMarker, type Script, say, toolUseId } from '../model/script.ts';
import { type ClientOutcome, runClient } from './claude-code.ts';
import {
  doctorOnClient,
  gateWorkspace,
  keptFiles,
  killInstalledHook,
  loseHookFile,
  notBuilt,
  queueText,
} from './hookwise.ts';
import { type ClientVersion, clientVersions, installClient } from './install.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

const demoServer = fileURLToPath(new URL('./demo-mcp.mjs', import.meta.url));
const firstCall = toolUseId('main', { turn: 0, block: 0 });
// 2.1.328 puts words of its own before a hook's reason.
const denied = /(^|: )hookwise deny \[[^\]]+\] \S/;
const lockName = /(^|[./-])locks?([./-]|$)/i;
// Everything a settings rule can allow, so that only the gate stands in a call's way.
const everything = ['Bash', 'Write', 'Edit', 'Read', 'Agent', 'mcp__demo__*'];

let workspace: Workspace;

const inProject = (relativePath: string): string => join(workspace.project, relativePath);

const write = (relativePath: string): Block =>
  call('Write', { file_path: inProject(relativePath), content: 'export const written = true;\n' });

const runScript = (version: ClientVersion, asked: { script: Script; args?: readonly string[] }) =>
  runClient({ version, project: workspace.project, home: workspace.home, ...asked });

/** One turn with these calls, then the end. */
const calls = (version: ClientVersion, blocks: readonly Block[]): Promise<ClientOutcome> =>
  runScript(version, { script: { main: [blocks, [say('done')]] } });

const shown = (outcome: ClientOutcome): string => outcome.shownTo('main')[0]?.text ?? '';

const expectDenied = (outcome: ClientOutcome): void => {
  expect(outcome.surprises).toEqual([]);
  expect(outcome.shownTo('main')).toMatchObject([{ toolUseId: firstCall, isError: true }]);
  expect(shown(outcome)).toMatch(denied);
};

const expectAllowed = (outcome: ClientOutcome): void => {
  expect(outcome.surprises).toEqual([]);
  expect(outcome.shownTo('main')).toMatchObject([{ toolUseId: firstCall, isError: false }]);
  expect(outcome.permissionDenials).toEqual([]);
};

const runsScript = (): Block => {
  workspace.write('project/scripts/make-thing.sh', 'touch "$(dirname "$0")/../made.txt"\n');
  return call('Bash', { command: 'sh scripts/make-thing.sh --of wood', description: 'Make the thing' });
};

for (const version of clientVersions) {
  const client = await installClient(version);
  const missing = notBuilt() ?? (client.kind === 'absent' ? client.reason : undefined);
  const note = missing === undefined ? '' : ` (skipped: ${missing})`;
  const failsClosed = version !== '2.1.197';

  describe.skipIf(missing !== undefined)(`hookwise with claude-code ${version}${note}`, () => {
    beforeEach(async () => {
      workspace = makeWorkspace();
      await gateWorkspace(workspace);
    });

    afterEach(() => workspace.remove());

    it('lets a file of the project be read', async () => {
      const outcome = await calls(version, [call('Read', { file_path: inProject('src/main.ts') })]);
      expectAllowed(outcome);
      expect(shown(outcome)).toContain('answer = 42');
    });

    it('lets a coder write a source file, with no settings rule to help', async () => {
      expectAllowed(await calls(version, [write('src/x.ts')]));
      expect(readFileSync(inProject('src/x.ts'), 'utf8')).toContain('written');
    });

    it('denies a coder a test file and tells the model why', async () => {
      workspace.allow(everything);
      expectDenied(await calls(version, [write('tests/x.ts')]));
      expect(existsSync(inProject('tests/x.ts'))).toBe(false);
    });

    it('judges each call of a turn for itself', async () => {
      workspace.allow(everything);
      const outcome = await calls(version, [write('src/x.ts'), write('tests/x.ts'), write('src/y.ts')]);
      expect(outcome.shownTo('main').map((result) => result.isError)).toEqual([false, true, false]);
      expect(['src/x.ts', 'tests/x.ts', 'src/y.ts'].map((file) => existsSync(inProject(file)))).toEqual([
        true,
        false,
        true,
      ]);
    });

    it("keeps the agent from the host's own settings and names the rule", async () => {
      workspace.allow(everything);
      expectDenied(await calls(version, [write('.claude/settings.json')]));
      expect(existsSync(inProject('.claude/settings.json'))).toBe(false);
    });

    it('denies a command nobody has decided and files it in the queue', async () => {
      workspace.allow(everything);
      expectDenied(await calls(version, [runsScript()]));
      expect(existsSync(inProject('made.txt'))).toBe(false);
      expect(await queueText(workspace)).toContain('make-thing.sh');
    });

    it("denies a subagent's write to a test file too", async () => {
      workspace.allow(everything);
      const prompt = `${laneMarker('sub1')} write a test`;
      const input = { description: 'a test', prompt, subagent_type: 'general-purpose', run_in_background: false };
      const outcome = await runScript(version, {
        script: {
          main: [[call('Agent', input)], [say('done')]],
          lanes: { sub1: [[write('tests/x.ts')], [say('the subagent is done')]] },
        },
      });
      expect(outcome.surprises).toEqual([]);
      expect(outcome.shownTo('sub1')).toMatchObject([{ isError: true }]);
      expect(outcome.shownTo('sub1')[0]?.text).toMatch(denied);
      expect(existsSync(inProject('tests/x.ts'))).toBe(false);
    });

    it('does not let a path rule carry an MCP call', async () => {
      workspace.allow(everything);
      const config = workspace.write(
        'mcp.json',
        JSON.stringify({ mcpServers: { demo: { command: process.execPath, args: [demoServer] } } }),
      );
      const blocks = [
        call('mcp__demo__echo', { text: 'it ran', path: inProject('src/x.ts') }),
        call('mcp__demo__fail', { path: inProject('src/x.ts') }),
      ];
      const outcome = await runScript(version, {
        script: { main: [blocks, [say('done')]] },
        args: ['--mcp-config', config],
      });
      expect(outcome.init?.mcp_servers).toMatchObject([{ name: 'demo', status: 'connected' }]);
      expect(outcome.shownTo('main').map((result) => result.isError)).toEqual([true, true]);
      for (const result of outcome.shownTo('main')) expect(result.text).toMatch(denied);
      expect(outcome.raw).not.toContain('echo: it ran');
    });

    it('leaves no lock behind when the session ends', async () => {
      workspace.allow(everything);
      const outcome = await calls(version, [write('src/x.ts'), write('tests/x.ts'), runsScript()]);
      // The client reports a hook that failed at the session's end on stderr, and nowhere else.
      expect(outcome.stderr).not.toMatch(/hook .*failed/);
      const kept = keptFiles(workspace);
      expect(kept.filter((file) => file.startsWith(join('home', '.local', 'state')))).not.toEqual([]);
      expect(kept.filter((file) => lockName.test(file))).toEqual([]);
    });

    it(`doctor ${failsClosed ? 'finds this client good' : 'reports that this client ignores onFailure'}`, async () => {
      if (client.kind === 'absent') throw new Error(client.reason);
      const said = await doctorOnClient(workspace, client.executable);
      expect(said).toMatch(failsClosed ? /^ok / : /^warn .*onFailure is ignored/);
    });

    const failures = [
      { name: 'the hook is killed', breakHook: killInstalledHook },
      { name: 'the hook file is missing', breakHook: loseHookFile },
    ] as const;
    for (const { name, breakHook } of failures) {
      it(`${failsClosed ? 'stops the call' : 'cannot stop the call (the client ignores onFailure)'} when ${name}`, async () => {
        workspace.allow(everything);
        breakHook(workspace);
        const outcome = await calls(version, [write('src/x.ts')]);
        expect(outcome.shownTo('main')).toMatchObject([{ toolUseId: firstCall, isError: failsClosed }]);
        expect(existsSync(inProject('src/x.ts'))).toBe(!failsClosed);
      });
    }
  });
}
