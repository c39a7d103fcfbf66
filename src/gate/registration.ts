import type { Role } from '../core/model/policy.ts';
import { chooserEntries, roleGroups } from '../core/policy/roles.ts';

/** What the model is told when a session has no role yet: ask the person, register, go on. */
export const rolePrompt = (sessionId: string, customRoles: readonly string[]): string => {
  const custom = customRoles.length === 0 ? [] : [`Custom: ${customRoles.join(', ')}`];
  const groups = [...roleGroups.map(({ title, roles }) => `${title}: ${roles.join(', ')}`), ...custom];
  return [
    'hookwise: This session has no role assigned.',
    'Before proceeding, ask the user to choose a role using AskUserQuestion.',
    '',
    'Question: hookwise: What role should this session use?',
    ...chooserEntries.map(({ label, summary }) => `  [${label}] ${summary}`),
    '',
    'Available roles:',
    ...groups.map((line) => `  ${line}`),
    '',
    'Once the user has chosen, run:',
    `  hookwise register --session-id ${sessionId} --role <chosen-role>`,
    'If the user would rather work without hookwise in this session, run:',
    `  hookwise disable --session-id ${sessionId}`,
    'Then proceed with their original request.',
  ].join('\n');
};

/** The refusal of a tool call from a session without a role. The wording is fixed: people and scripts look for it. */
export const unregisteredNotice = (sessionId: string): string =>
  [
    'hookwise: Session not registered.',
    '',
    'This session needs a role before tool calls are permitted.',
    '',
    'To register: /hookwise register',
    'To disable:  /hookwise disable',
    '',
    'Or from a terminal:',
    `  hookwise register --session-id ${sessionId} --role <role>`,
    `  hookwise disable --session-id ${sessionId}`,
  ].join('\n');

/** One line about what a role may and may not write. */
export const pathSummary = (role: Role): string => {
  const globs = (rules: Role['paths']['allowWrite']) => rules.map(({ glob }) => glob).join(', ') || 'nothing';
  return `allow ${globs(role.paths.allowWrite)} | deny ${globs(role.paths.denyWrite)}`;
};
