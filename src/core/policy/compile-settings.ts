import type { Settings } from '../model/policy.ts';
import { matchUnits } from '../paths/glob-match.ts';
import { readUnits } from '../paths/glob-pattern.ts';
import type { Entry, PolicyDocument } from './schema.ts';
import { type SettingKey, type SettingValues, settings, toSettings } from './settings.ts';
import { quoted, type Scales } from './widening.ts';

/** Files of the people who own the machine and the organisation, from the broadest scope to the narrowest. */
export type OwnerDocuments = readonly PolicyDocument[];

export interface ProjectPolicy {
  readonly document: PolicyDocument;
  readonly scales: Scales;
}

/** Who says something about settings. */
export interface Layers {
  readonly owners: OwnerDocuments;
  readonly project: ProjectPolicy | undefined;
}

type ToolRisk = Settings['tools'][string];

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const mergeOne = <K extends SettingKey>(key: K, { owners, project }: Layers): SettingValues[K] => {
  const { initial, sayers, strictest } = settings[key];
  const stated = owners.flatMap(({ settings: said }) => said[key] ?? []).map(({ value }): SettingValues[K] => value);
  const base = stated.length === 0 ? initial : stated.reduce((broader, narrower) => strictest(broader, narrower));
  const own = project?.document.settings[key];
  if (project === undefined || own === undefined) return base;
  if (sayers === 'owners') {
    project.scales.warn(
      own.line,
      `${key} is only read from user or organisation configuration, never from a repository`,
    );
    return base;
  }
  const strict = strictest(base, own.value);
  if (isSame(strict, own.value) || stated.length > 0) return strict;
  return project.scales.widen(own.line, `${key} is ${quoted(own.value)}`) ? own.value : strict;
};

/** How risky a call of `tool` is: its own entry, else the strictest of the patterns that match it, else `execute`. */
export const toolRisk = (tools: Settings['tools'], tool: string): ToolRisk => {
  const own = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  if (own !== undefined) return own;
  const found = Object.entries(tools).flatMap(([pattern, risk]) => (namesTool(pattern, tool) ? [risk] : []));
  return (
    found.reduce<ToolRisk | undefined>(
      (worst, risk) => (worst === undefined ? risk : riskier(worst, risk)),
      undefined,
    ) ?? 'execute'
  );
};

const namesTool = (pattern: string, tool: string): boolean => {
  const units = readUnits(pattern);
  return units.ok && matchUnits(units.value, tool, { steps: 0 });
};

const risks: readonly ToolRisk[] = ['inspect', 'modify', 'execute'];

const riskier = (a: ToolRisk, b: ToolRisk): ToolRisk => (risks.indexOf(a) >= risks.indexOf(b) ? a : b);

const ownedTools = (owners: OwnerDocuments): ReadonlyMap<string, ToolRisk> => {
  const tools = new Map<string, ToolRisk>();
  for (const { name, value } of owners.flatMap((owner) => owner.tools)) {
    tools.set(name, riskier(value, tools.get(name) ?? value));
  }
  return tools;
};

/** A project may call a tool riskier; calling it less risky needs trust, and that nobody above has said otherwise. */
const mergeTools = ({ owners, project }: Layers): Settings['tools'] => {
  const owned = ownedTools(owners);
  const tools = new Map(owned);
  for (const { name, value, line } of project?.document.tools ?? []) {
    const said = [...owned].some(([pattern]) => pattern === name || namesTool(pattern, name));
    const base = toolRisk(Object.fromEntries(owned), name);
    const isStricter = riskier(value, base) === value;
    const holds = isStricter || (!said && project?.scales.widen(line, `tools.${name} is ${quoted(value)}`) === true);
    if (holds) tools.set(name, value);
  }
  return Object.fromEntries(tools);
};

/** A subagent without an entry has the role of its session, so every entry of a project may widen. */
const mergeAgents = ({ owners, project }: Layers): Settings['agents'] => {
  const agents = new Map<string, string>();
  const say = ({ name, value }: Entry<string>) => {
    if (!agents.has(name)) agents.set(name, value);
  };
  for (const entry of owners.flatMap((owner) => owner.agents)) say(entry);
  for (const entry of project?.document.agents ?? []) {
    if (agents.has(entry.name)) continue;
    if (project?.scales.widen(entry.line, `agents.${entry.name} is ${quoted(entry.value)}`)) say(entry);
  }
  return Object.fromEntries(agents);
};

/** All settings after merging: the strictest of what the owners say, then what the project may add. */
export const mergeSettings = (layers: Layers): Settings =>
  toSettings((key) => mergeOne(key, layers), { agents: mergeAgents(layers), tools: mergeTools(layers) });
