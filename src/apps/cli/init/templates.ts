import type { GlobRule } from '../../../core/model/policy.ts';
import { builtinRoles, chooserEntries } from '../../../core/policy/roles.ts';
import { type SettingKey, settingKeys, settings } from '../../../core/policy/settings.ts';

/** What each setting is for, where a repository may say something about it. */
const notes: Partial<Record<SettingKey, string>> = {
  human_timeout_secs: 'Seconds a call waits for a person before it is refused.',
  registration_timeout_secs: 'Seconds the first call of a new session waits for its role.',
  ask_delivery: 'Where questions go: auto, native (the host asks), queue, both.',
  reads: 'allow: plain reading needs no decision. abstain: hookwise has no opinion on it.',
  'confidence.org': 'How sure a model has to be for its verdict to count, by scope (0 to 1).',
  'similarity.mode': 'Whether a similar call may stand for a known one: guarded, seed, off.',
  'learning.human': 'Where answers go: project (reviewed in git) or local (yours alone).',
  'path_policy.order': 'strictest: a deny anywhere wins. seed: the order of the first design.',
  globs: 'segment: * stays within one directory. globset: * crosses them.',
  'registration.confirm': 'Who confirms a role: always a person, or for full_access_only.',
};

const intro = [
  'What agents may do in this repository, reviewed like code.',
  '',
  'Everything here is optional, and everything below is commented out with its default. A line that is stricter',
  'than the default counts at once. One that widens counts on each machine after its owner has run: hookwise trust',
  '',
  'Only the configuration of a person or an organisation may say: gating, default_role, env_role, supervisor,',
  'embedding_model, orgs, api_key. See: hookwise config list',
];

const comment = (text: string): string => (text === '' ? '#' : `# ${text}`);

const inline = (value: unknown): string => (Array.isArray(value) ? `[${value.map(String).join(', ')}]` : String(value));

/** The settings that a repository may state, as commented YAML with the defaults. */
const settingLines = (): string[] => {
  const lines: string[] = [];
  let group = '';
  for (const key of settingKeys) {
    if (settings[key].sayers === 'owners') continue;
    const [first = '', second] = key.split('.');
    if (first !== group) lines.push('');
    group = first;
    const note = notes[key];
    if (note !== undefined) lines.push(comment(note));
    const isFirstOfGroup = second !== undefined && !lines.includes(`#${first}:`);
    if (isFirstOfGroup) lines.push(`#${first}:`);
    const value = inline(settings[key].initial);
    lines.push(second === undefined ? `#${first}: ${value}` : `#  ${second}: ${value}`);
  }
  return lines;
};

const listLines = [
  '',
  comment('Paths that need a person, or that nobody reads, on top of the built-in ones.'),
  '#sensitive_paths:',
  '#  ask_write: []',
  '#  ask_read: []',
  '#  deny_read: []',
  comment('  These two lift built-in entries, and so need trust:'),
  '#  except_read: []',
  '#  allow_write: []',
  '',
  comment('The role of a subagent by its type; without an entry it has the role of its session. Example:'),
  comment('  code-reviewer: reviewer'),
  '#agents: {}',
  '',
  comment('How risky the calls of other tools are: inspect, modify, execute (the default). Example:'),
  comment('  mcp__tickets__read_*: inspect'),
  '#tools: {}',
];

/** `.hookwise/policy.yml` as `init` writes it: comments only, so that it changes nothing by itself. */
export const policyTemplate = (): string => `${[...intro.map(comment), ...settingLines(), ...listLines].join('\n')}\n`;

const rolesIntro = [
  'Roles: which files a session may write, by what it is there for.',
  '',
  'The roles below are built in and need no entry. To change one, remove the # of its block (and of "roles:"), or add',
  'a role of your own in the same form. Narrower counts at once, wider after: hookwise trust',
  '',
  'Globs are relative to the repository. A deny wins over an allow.',
];

const globLine = (name: string, rules: readonly GlobRule[]): string =>
  `#      ${name}: [${rules.map(({ glob }) => `'${glob}'`).join(', ')}]`;

/** `.hookwise/roles.yml` as `init` writes it: comments only. */
export const rolesTemplate = (): string => {
  const blocks = [...builtinRoles.values()].flatMap(({ name, paths }) => {
    const summary = chooserEntries.find(({ label }) => label === name)?.summary ?? '';
    return [
      '',
      comment(`${name}: ${summary}`),
      `#  ${name}:`,
      '#    paths:',
      globLine('allow_write', paths.allowWrite),
      globLine('deny_write', paths.denyWrite),
      globLine('allow_read', paths.allowRead),
    ];
  });
  const own = [
    '',
    comment('A role of your own:'),
    comment('  translator:'),
    comment('    description: Translates the texts of the user interface, and changes nothing else.'),
    comment('    paths:'),
    comment('      allow_write: [locales/**]'),
    comment("      deny_write: ['locales/en/**']"),
  ];
  return `${[...rolesIntro.map(comment), ...own, '', '#roles:', ...blocks].join('\n')}\n`;
};
