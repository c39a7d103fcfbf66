import { readdirSync, readFileSync } from 'node:fs';
import { isJsonObject } from '../../core/model/strict-json.ts';

/** The team a session works in, and whether it leads it. `solo` is everybody else. */
export interface Team {
  readonly id: string;
  readonly isLead: boolean;
}

const teamName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The team by the host's team files (`~/.claude/teams/<team>/config.json`), else by `CLAUDE_TEAM_ID`, else `solo`.
 * `envTeam` is that variable's value, already checked not to come from the repository.
 */
export const teamOf = (home: string, sessionId: string, envTeam: string | undefined): Team => {
  const top = `${home}/.claude/teams`;
  for (const name of namesIn(top)) {
    if (!teamName.test(name)) continue;
    const config = readConfig(`${top}/${name}/config.json`);
    const place = config === undefined ? undefined : placeIn(config, sessionId);
    if (place !== undefined) return { id: name, isLead: place === 'lead' };
  }
  if (envTeam !== undefined && teamName.test(envTeam)) return { id: envTeam, isLead: false };
  return { id: 'solo', isLead: false };
};

const leadKeys = ['leadSessionId', 'lead_session_id', 'leadAgentId', 'lead_agent_id'];
const memberKeys = ['sessionId', 'session_id', 'agentId', 'agent_id'];

const placeIn = (config: Readonly<Record<string, unknown>>, sessionId: string): 'lead' | 'member' | undefined => {
  if (leadKeys.some((key) => config[key] === sessionId)) return 'lead';
  const members = Array.isArray(config['members']) ? config['members'].filter(isJsonObject) : [];
  return members.some((member) => memberKeys.some((key) => member[key] === sessionId)) ? 'member' : undefined;
};

const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

/** A team file that cannot be read names nobody: the session is solo, which grants nothing more. */
const readConfig = (file: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
