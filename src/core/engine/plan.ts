import type { Context } from '../model/context.ts';
import type { Effect } from '../model/effect.ts';
import { anyContext, entryKeyText, shapeKeyText } from '../model/entry-key.ts';
import type { FactQuery } from '../model/facts.ts';
import type { ContextClass } from '../model/record.ts';
import type { BeforeTool, ToolCall } from '../model/request.ts';
import { crossedByParent, relativeTo, resolvePath } from '../paths/normalise.ts';
import { sanitize } from '../sanitize/sanitize.ts';
import type { ShellReading } from '../shell/model.ts';
import type { BuiltinVerdict } from '../shell/verdict.ts';
import type { ShellLanguage } from '../similarity/language.ts';
import type { Shape } from '../similarity/shape.ts';
import { canonicalJson } from './canonical-json.ts';

/** What identifies a call for memory. `input` is exact and may hold a secret: it never leaves the process. */
export interface CallKey {
  readonly tool: string;
  readonly input: string;
  readonly context: ContextClass;
  /** `input` as the command is spelled, where that differs and nothing outside a slot was redacted. */
  readonly spelled?: string;
  /** `input` fit to be stored. */
  readonly sanitized: string;
  /** Whether redaction took something that is not a credential in a known slot. */
  readonly lossy: boolean;
  /** Whether redaction took anything at all. */
  readonly isRedacted: boolean;
  readonly filePath?: string;
}

/** A call with what it would do and what must be known before it can be judged. */
export interface Plan {
  readonly request: BeforeTool;
  readonly context: Context;
  readonly effects: readonly Effect[];
  /** False when something in the call was not understood. */
  readonly complete: boolean;
  readonly key: CallKey;
  readonly queries: readonly FactQuery[];
  /** For shell commands: what was understood of the text, and what follows from that alone. */
  readonly shell?: { readonly reading: ShellReading; readonly builtin: BuiltinVerdict };
  /** The call with its data as slots; only for calls that no built-in rule settles and that may be carried over. */
  readonly shape?: Shape;
}

/** Reads a call: effects, identity, and the facts to ask for. */
export const plan = (request: BeforeTool, context: Context, shell: () => ShellLanguage): Plan => {
  const read = readShellCall(request.call, context, shell);
  const effects = read === undefined ? effectsOf(request.call, context) : read.effects;
  const key = keyOf(request.call, context, read?.texts);
  const shape = read === undefined ? undefined : carriedShape({ key, context, builtin: read.builtin }, shell);
  const paths = effects.flatMap((effect) =>
    'path' in effect && effect.path !== '' ? [effect.path, ...asResolved(effect.spelled, context)] : [],
  );
  const slotPaths = shape?.slots.flatMap(({ path }) => path ?? []) ?? [];
  const queries: FactQuery[] = [...new Set([...paths, ...slotPaths])].map((path) => ({ kind: 'path', path }));
  queries.push({ kind: 'entries', keyTexts: keyTextsOf(key, shape) });
  const complete = read === undefined ? effects.every((effect) => effect.kind !== 'unknown') : read.reading.complete;
  const understood = read === undefined ? {} : { shell: { reading: read.reading, builtin: read.builtin } };
  return {
    request,
    context,
    effects,
    complete,
    key,
    queries,
    ...understood,
    ...(shape === undefined ? {} : { shape }),
  };
};

const keyTextsOf = (key: CallKey, shape: Shape | undefined): readonly string[] => {
  const contexts = [key.context, anyContext] as const;
  const inputs = key.spelled === undefined ? [key.input] : [key.input, key.spelled];
  const exact = inputs.flatMap((input) => contexts.map((context) => entryKeyText({ tool: key.tool, input, context })));
  if (shape === undefined) return exact;
  return [...exact, ...contexts.map((context) => shapeKeyText({ tool: key.tool, shape: shape.text, context }))];
};

interface Carried {
  readonly key: CallKey;
  readonly context: Context;
  readonly builtin: BuiltinVerdict;
}

/** What a built-in rule settles needs no shape; what lost text to redaction or runs outside the project has none. */
const carriedShape = ({ key, context, builtin }: Carried, shell: () => ShellLanguage): Shape | undefined => {
  if (builtin.verdict !== undefined || key.isRedacted || key.context === 'outside') return undefined;
  const shape = shell().shape(key.sanitized, placeOf(context));
  return shape.kind === 'shape' ? shape : undefined;
};

/** Where shell text is read. */
export const placeOf = (context: Context) => ({
  cwd: context.cwd,
  home: context.homes[0] ?? '/',
  user: context.user,
  root: context.root,
});

const effectsOf = (call: ToolCall, context: Context): Effect[] => {
  const action = call.action;
  switch (action.kind) {
    case 'shell':
      return [{ kind: 'unknown', why: `${action.language} text is not understood` }];
    case 'read':
      return [touches('read', action.path, context)];
    case 'search':
      return [touches('read', searchBase(action.path, action.glob), context)];
    case 'write':
      return [touches('write', action.path, context)];
    case 'fetch':
      return [{ kind: 'connect', host: hostOf(action.url) }];
    case 'delegate':
      return [{ kind: 'delegate', agentType: action.agentType }];
    case 'inert':
      return [];
    case 'opaque':
      return [
        { kind: 'unknown', why: `hookwise does not know what ${call.tool} does` },
        ...mentioned(action.strings, context),
      ];
    case 'malformed':
      return [{ kind: 'unknown', why: action.why }];
  }
};

interface ShellCall {
  readonly effects: readonly Effect[];
  readonly reading: ShellReading;
  readonly builtin: BuiltinVerdict;
  readonly texts: ShellTexts;
}

interface ShellTexts {
  /** The text under which the command is remembered. */
  readonly canonical: string;
  /** As it is spelled: entries that people write by hand may have it. */
  readonly verbatim: string;
}

const readShellCall = (call: ToolCall, context: Context, shell: () => ShellLanguage): ShellCall | undefined => {
  const { action } = call;
  if (action.kind !== 'shell' || action.language !== 'bash') return undefined;
  const { read, judge, effects, canonical, verbatim } = shell();
  const place = placeOf(context);
  const reading = read(action.command, place);
  const texts = { canonical: canonical(action.command, { reading, ...place }), verbatim: verbatim(action.command) };
  return { effects: effects(reading), reading, builtin: judge(reading, place), texts };
};

const baseOf = (context: Context) => ({ cwd: context.cwd, home: context.homes[0] ?? '/' });

const touches = (kind: 'read' | 'write', spelled: string, context: Context): Effect => {
  const path = resolvePath(spelled, baseOf(context));
  return path.ok ? { kind, path: path.value, spelled } : { kind: 'unknown', why: path.error };
};

/** `link/..` is not where it seems: the spelling itself is resolved too, as the operating system would. */
export const asResolved = (spelled: string, context: Context): string[] => {
  const base = baseOf(context);
  if (crossedByParent(spelled, base).length === 0) return [];
  const start = spelled.startsWith('~/') ? `${base.home}/${spelled.slice(2)}` : spelled;
  return [start.startsWith('/') ? start : `${base.cwd}/${start}`];
};

/** A glob that starts elsewhere (`/etc/*`, `~/x`, `../y`) moves the search there. */
const searchBase = (path: string, glob: string | undefined): string => {
  if (glob === undefined || !/^(?:\/|~|\.\.(?:\/|$))/.test(glob)) return path;
  const fixed = glob
    .split('/')
    .filter((_, index, parts) => !parts.slice(0, index + 1).some((part) => /[*?[{]/.test(part)));
  const base = fixed.join('/') || '/';
  return base.startsWith('..') ? `${path}/${base}` : base;
};

const longestPathText = 4096;
const mostPaths = 64;

/** Strings of an unknown tool that could name a file: checked against deny and ask rules, never a reason to allow. */
const mentioned = (strings: readonly string[], context: Context): Effect[] => {
  const named = strings.filter((text) => text.length > 0 && text.length <= longestPathText && !/[\n\r\0]/.test(text));
  const effects = named.slice(0, mostPaths).map((text) => touches('write', text.replace(/^file:\/\//, ''), context));
  return named.length <= mostPaths ? effects : [...effects, { kind: 'unknown', why: `more than ${mostPaths} strings` }];
};

const hostOf = (url: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(url)?.[1]?.toLowerCase() ?? '';

/** Where the session stands, seen from the root. */
const contextClass = (context: Context): ContextClass => {
  const relative = relativeTo(context.root, context.cwd) ?? relativeTo(context.realRoot, context.cwd);
  if (relative === undefined) return 'outside';
  return relative === '' ? 'root' : `inside:${relative}`;
};

const keyOf = (call: ToolCall, context: Context, texts: ShellTexts | undefined): CallKey => {
  const action = call.action;
  if (action.kind === 'write' || action.kind === 'read') return fileKey(call.canonicalTool, action.path, context);
  const text = texts?.canonical ?? (action.kind === 'shell' ? action.command : canonicalJson(call.identity));
  const clean = sanitize(text);
  const spelled = texts === undefined || texts.verbatim === text ? undefined : sanitize(texts.verbatim);
  return {
    tool: call.canonicalTool,
    input: clean.canonical,
    ...(spelled === undefined || spelled.lossy ? {} : { spelled: spelled.canonical }),
    context: contextClass(context),
    sanitized: clean.text,
    lossy: clean.lossy,
    isRedacted: clean.spans.length > 0,
  };
};

const fileKey = (tool: string, spelled: string, context: Context): CallKey => {
  const normal = resolvePath(spelled, baseOf(context));
  const path = normal.ok ? normal.value : spelled;
  const relative = relativeTo(context.root, path) ?? relativeTo(context.realRoot, path);
  const input = relative ?? path;
  const clean = sanitize(input);
  const where = relative === undefined ? 'outside' : 'root';
  const isRedacted = clean.spans.length > 0;
  return { tool, input, context: where, sanitized: clean.text, lossy: isRedacted, isRedacted, filePath: clean.text };
};
