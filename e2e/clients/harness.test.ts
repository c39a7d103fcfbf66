import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRecord } from '../model/json.ts';
import { call, laneMarker, say, toolUseId } from '../model/script.ts';
import { type ClientOutcome, runClient } from './claude-code.ts';
import { type ClientVersion, clientVersions, installClient } from './install.ts';
import { makeWorkspace, type Workspace } from './workspace.ts';

const denyReason = 'the harness says no';
const denyAnswer = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: denyReason,
  },
};

const hookBodies = {
  silent: 'process.stdin.resume();',
  deny: `process.stdout.write(${JSON.stringify(JSON.stringify(denyAnswer))}); process.exitCode = 2;`,
  killed: `process.kill(process.pid, 'SIGKILL');`,
} as const;

const firstCall = toolUseId('main', { turn: 0, block: 0 });
let workspace: Workspace;

/** Settings whose only PreToolUse hook is this command, with every tool of the test allowed by rule. */
const useHook = (command: string): void => {
  const handler = { type: 'command', command, timeout: 10, onFailure: 'block' };
  workspace.writeSettings({
    hooks: { PreToolUse: [{ matcher: '*', hooks: [handler] }] },
    permissions: { allow: ['Bash', 'Write', 'Edit', 'Agent'] },
  });
};

const useHookBody = (body: string): void => useHook(`node '${workspace.write('hook.cjs', body)}'`);

const touchMarker = (): ReturnType<typeof call> => call('Bash', { command: 'touch ran.txt', description: 'marker' });

const touchRun = (version: ClientVersion): Promise<ClientOutcome> =>
  runClient({
    version,
    project: workspace.project,
    home: workspace.home,
    script: { main: [[touchMarker()], [say('done')]] },
  });

const hasRun = (): boolean => existsSync(join(workspace.project, 'ran.txt'));

beforeEach(() => {
  workspace = makeWorkspace();
});

afterEach(() => workspace.remove());

for (const version of clientVersions) {
  const install = await installClient(version);
  const note = install.kind === 'absent' ? ` (skipped: ${install.reason})` : '';
  const failsClosed = version !== '2.1.197';

  describe.skipIf(install.kind === 'absent')(`the harness with claude-code ${version}${note}`, () => {
    it('runs an allowed call and ends as the script says', async () => {
      useHookBody(hookBodies.silent);
      const outcome = await touchRun(version);
      expect(outcome.surprises).toEqual([]);
      expect(outcome.init).toMatchObject({ claude_code_version: version });
      expect(outcome.result).toMatchObject({ is_error: false, result: 'done' });
      expect(outcome.toolResults).toMatchObject([{ toolUseId: firstCall, isError: false }]);
      expect(outcome.permissionDenials).toEqual([]);
      expect(hasRun()).toBe(true);
    });

    it('stops a call on a JSON denial with exit 2 and shows the model the reason', async () => {
      useHookBody(hookBodies.deny);
      const outcome = await touchRun(version);
      expect(hasRun()).toBe(false);
      expect(outcome.shownTo('main')).toMatchObject([{ toolUseId: firstCall, isError: true }]);
      expect(outcome.shownTo('main')[0]?.text).toContain(denyReason);
    });

    it(`${failsClosed ? 'blocks' : 'does not block'} when the hook is killed under onFailure:block`, async () => {
      useHookBody(hookBodies.killed);
      const outcome = await touchRun(version);
      expect(hasRun()).toBe(!failsClosed);
      expect(outcome.toolResults).toMatchObject([{ toolUseId: firstCall, isError: failsClosed }]);
    });

    it(`${failsClosed ? 'blocks' : 'does not block'} when the hook is missing under onFailure:block`, async () => {
      useHook(join(workspace.root, 'no-such-hook'));
      await touchRun(version);
      expect(hasRun()).toBe(!failsClosed);
    });

    it('gives the hook a payload that parses', async () => {
      const seen = join(workspace.root, 'payload.json');
      useHookBody(`require('node:fs').writeFileSync(${JSON.stringify(seen)}, require('node:fs').readFileSync(0));`);
      await touchRun(version);
      expect(parseRecord(readFileSync(seen, 'utf8'))).toMatchObject({
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_use_id: firstCall,
        cwd: workspace.project,
        tool_input: { command: 'touch ran.txt' },
      });
    });

    it('runs several calls of one turn', async () => {
      useHookBody(hookBodies.silent);
      const first = join(workspace.project, 'first.txt');
      const second = join(workspace.project, 'second.txt');
      const write = (file: string) => call('Write', { file_path: file, content: 'x\n' });
      const outcome = await runClient({
        version,
        project: workspace.project,
        home: workspace.home,
        script: { main: [[say('two files'), write(first), write(second)], [say('done')]] },
      });
      expect(outcome.shownTo('main').map((shown) => shown.isError)).toEqual([false, false]);
      expect([existsSync(first), existsSync(second)]).toEqual([true, true]);
    });

    it('plays a lane to a subagent, whose calls the hook also sees', async () => {
      useHookBody(`${"const input = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));"}
        if (input.agent_id !== undefined) { ${hookBodies.deny} }`);
      const prompt = `${laneMarker('sub1')} touch the marker`;
      const input = { description: 'marker', prompt, subagent_type: 'general-purpose', run_in_background: false };
      const outcome = await runClient({
        version,
        project: workspace.project,
        home: workspace.home,
        script: {
          main: [[call('Agent', input)], [say('done')]],
          lanes: { sub1: [[touchMarker()], [say('the subagent is done')]] },
        },
      });
      expect(outcome.surprises).toEqual([]);
      expect(outcome.shownTo('sub1')).toMatchObject([{ isError: true }]);
      expect(outcome.shownTo('sub1')[0]?.text).toContain(denyReason);
      expect(outcome.shownTo('main')[0]?.text).toContain('the subagent is done');
      expect(hasRun()).toBe(false);
    });
  });
}
