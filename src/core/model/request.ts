/** A JSON object from outside, not yet trusted. */
export type JsonObject = { readonly [key: string]: unknown };

/** Who is calling: the host's session and, inside a subagent, which one. */
export interface SessionRef {
  readonly sessionId: string;
  readonly agentId?: string;
  readonly agentType?: string;
  readonly transcriptPath?: string;
}

/** The host's permission mode as it names it (`default`, `plan`, `acceptEdits`, `bypassPermissions`, `dontAsk`, `auto`). */
export type PermissionMode = string;

/**
 * What a tool call would do, as far as the host's own tool schema says it. The adapter fills it in, so that
 * nothing behind it needs to know the field names of one host.
 */
export type Action =
  | { readonly kind: 'shell'; readonly command: string; readonly language: 'bash' | 'powershell' }
  | { readonly kind: 'read'; readonly path: string }
  /** Looks for names or text below `path`; `glob` narrows the files. */
  | { readonly kind: 'search'; readonly path: string; readonly glob?: string; readonly reads: 'names' | 'content' }
  /** `text` is the new content: looked at, never stored. */
  | { readonly kind: 'write'; readonly path: string; readonly text: readonly string[] }
  | { readonly kind: 'fetch'; readonly url: string }
  | { readonly kind: 'delegate'; readonly agentType: string }
  /** Changes nothing outside the conversation (a question to the person, a to-do list). */
  | { readonly kind: 'inert' }
  /** A tool without a known schema (MCP, new host tools): every string in its input. */
  | { readonly kind: 'opaque'; readonly strings: readonly string[] }
  /** The input does not have the shape the host promises. `deny`: shaped to deceive (NUL, broken text, wrong types). */
  | { readonly kind: 'malformed'; readonly why: string; readonly verdict: 'ask' | 'deny' };

/** One tool call, normalised. */
export interface ToolCall {
  /** The tool's name as the host sent it. */
  readonly tool: string;
  /** The same tool under every alias (`Task` is `Agent`, `Monitor` runs what `Bash` runs). */
  readonly canonicalTool: string;
  readonly input: JsonObject;
  /** `input` without fields that change nothing about what the call does (a description, a timeout). */
  readonly identity: JsonObject;
  readonly action: Action;
  /** The host's id of this call; equal before and after the call. */
  readonly toolUseId?: string;
}

interface RequestBase {
  readonly session: SessionRef;
  /** The session's current directory, absolute as the host sent it. */
  readonly cwd: string;
}

/** What the host tells a hook, normalised. */
export type HookRequest = RequestBase &
  (
    | { readonly kind: 'before-tool'; readonly mode: PermissionMode; readonly call: ToolCall }
    | {
        readonly kind: 'after-tool';
        readonly mode: PermissionMode;
        readonly call: ToolCall;
        readonly outcome: 'succeeded' | 'failed';
      }
    | { readonly kind: 'prompt'; readonly prompt: string }
    | { readonly kind: 'session-start'; readonly source: string }
    | { readonly kind: 'session-end'; readonly reason: string }
    | { readonly kind: 'config-change'; readonly source: string; readonly filePath?: string }
    | { readonly kind: 'notice'; readonly event: string }
  );

/** The request that asks for a verdict. */
export type BeforeTool = Extract<HookRequest, { kind: 'before-tool' }>;
/** The request that reports what became of a call. */
export type AfterTool = Extract<HookRequest, { kind: 'after-tool' }>;
