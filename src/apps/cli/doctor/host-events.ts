/** Every event of the host, as it spells them. */
export const hostEvents: readonly string[] = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'PermissionRequest',
  'PermissionDenied',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
];

/** Events under which one malformed entry makes the host drop the whole file. */
export const strictEvents: readonly string[] = ['PreToolUse', 'PermissionRequest'];

const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** The event that an older or misspelt name means. */
export const meantEvent = (name: string): string | undefined =>
  hostEvents.find((event) => event !== name && plain(event) === plain(name));
