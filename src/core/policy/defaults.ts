import type { Settings, SupervisorSettings } from '../model/policy.ts';

/** What `supervisor: { backend: api }` means where it says no more. */
export const defaultApiSupervisor: Extract<SupervisorSettings, { backend: 'api' }> = {
  backend: 'api',
  apiBaseUrl: 'https://api.anthropic.com',
  model: 'claude-sonnet-4-5-20250929',
  maxTokens: 1024,
};

/** Every number and switch as it is without configuration. */
export const defaultSettings: Settings = {
  gating: 'auto',
  humanTimeoutSecs: 60,
  registrationTimeoutSecs: 5,
  askDelivery: 'auto',
  reads: 'allow',
  builtin: { inspect: 'allow', clean: 'allow', branch: 'allow' },
  confidence: { org: 0.9, project: 0.7, user: 0.6 },
  similarity: { mode: 'guarded', jaccardThreshold: 0.7, jaccardMinTokens: 3, embeddingThreshold: 0.85 },
  learning: { human: 'project', llm: 'local', native: 'exact', persistTiers: ['supervisor', 'human', 'override'] },
  registrationConfirm: 'always',
  envRoleAllow: [],
  agents: {},
  pathPolicyOrder: 'strictest',
  globs: 'segment',
  tools: {},
  supervisor: { backend: 'socket' },
};
