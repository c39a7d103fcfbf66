import type { Redirection } from 'unbash';
import { wordReader } from './expansions.ts';
import { throughLinks } from './links.ts';
import type { PathTarget, ReadRedirect, ShellEffect, WordReading } from './model.ts';
import { readPath, writePath } from './path-effects.ts';
import type { Input, Scope } from './scope.ts';
import { targetOf } from './targets.ts';
import { note, type Redirected, type Walk } from './walk.ts';
import { readBody, readSingle, readWord, taintsOf } from './words.ts';

interface Collected {
  readonly effects: ShellEffect[];
  input?: Input;
  output?: PathTarget & { readonly append: boolean };
}

/** Reads redirections in order: what they open, what they feed, where output goes. */
export const readRedirects = (
  list: readonly Redirection[],
  walk: Walk,
  scope: Scope,
): { readonly redirected: Redirected; readonly redirects: readonly ReadRedirect[] } => {
  const collected: Collected = { effects: [] };
  const redirects = list.map((redirect) => readRedirect(redirect, collected, { walk, scope }));
  return { redirected: collected, redirects };
};

interface At {
  readonly walk: Walk;
  readonly scope: Scope;
}

const descriptorOf = (redirect: Redirection): number | string | undefined =>
  redirect.descriptor === undefined
    ? undefined
    : redirect.descriptor.type === 'FileDescriptor'
      ? redirect.descriptor.value
      : redirect.descriptor.name;

const readRedirect = (redirect: Redirection, collected: Collected, at: At): ReadRedirect => {
  const descriptor = descriptorOf(redirect);
  const base = { operator: redirect.operator, ...(descriptor === undefined ? {} : { descriptor }) };
  const reader = wordReader(at.walk, at.scope);
  switch (redirect.type) {
    case 'HereDoc': {
      const { quoted } = redirect.delimiter ?? { quoted: false };
      if (quoted) at.walk.dataCharacters += redirect.body.text.length;
      if (redirect.closing === undefined) note(at.walk, 'here-document without end', { text: '', hidden: true });
      const body: WordReading =
        quoted || redirect.body.parts === undefined
          ? { kind: 'literal', text: redirect.body.text }
          : readBody(redirect.body.parts, reader);
      if (standardInput(descriptor)) collected.input = inputOf(body);
      return { ...base, target: body };
    }
    case 'HereString': {
      if (redirect.target === undefined) return base;
      const body = readSingle(redirect.target, reader);
      if (standardInput(descriptor))
        collected.input = inputOf(body.kind === 'literal' ? { ...body, text: `${body.text}\n` } : body);
      return { ...base, target: body };
    }
    case 'Redirect': {
      if (redirect.target === undefined) return base;
      const words = readWord(redirect.target, reader);
      const target = words.length === 1 && words[0] !== undefined ? words[0] : readSingle(redirect.target, reader);
      openTarget({ operator: redirect.operator, descriptor, target }, collected, at);
      return { ...base, target };
    }
  }
};

const standardInput = (descriptor: number | string | undefined): boolean =>
  descriptor === undefined || descriptor === 0;

const inputOf = (word: WordReading): Input =>
  word.kind === 'literal'
    ? { text: word.text, from: taintsOf(word), fed: true }
    : { from: taintsOf(word), fed: true, ...(word.kind === 'dynamic' ? { text: word.shape } : {}) };

interface Opened {
  readonly operator: string;
  readonly descriptor: number | string | undefined;
  readonly target: WordReading;
}

// By class of operator: what opens for reading, what for writing, what only copies a descriptor.
const openTarget = (opened: Opened, collected: Collected, at: At): void => {
  const { operator, descriptor, target } = opened;
  const isCopy = operator === '<&' || operator === '>&';
  if (isCopy && target.kind === 'literal' && /^(?:\d+-?|-)$/.test(target.text)) return;
  if (isCopy && target.kind === 'dynamic' && target.numeric) return;
  const path = targetAt(target, at.scope.cwd, at);
  const elsewhere = at.scope.otherCwds.map((cwd) => targetAt(target, cwd, at)).filter((one) => one.path !== path.path);
  const reads = operator === '<' || operator === '<>' || operator === '<&';
  const writes = operator !== '<' && operator !== '<&';
  if (reads) {
    for (const one of [path, ...elsewhere])
      collected.effects.push(...readPath(one, { how: 'content', shown: false }, at.walk.context));
    if (standardInput(descriptor)) collected.input = fileInput(target, path, at);
  }
  if (!writes) return;
  const append = operator === '>>' || operator === '&>>';
  for (const one of [path, ...elsewhere])
    collected.effects.push(...writePath(one, { how: append ? 'append' : 'replace' }, at.walk.context));
  if (descriptor === undefined || descriptor === 1) collected.output = { ...path, append };
};

const targetAt = (target: WordReading, cwd: string | undefined, at: At): PathTarget =>
  throughLinks(targetOf(target, cwd), at.walk.links, 'follow');

const fileInput = (target: WordReading, path: PathTarget, at: At): Input => {
  const written = at.walk.files.get(path.path);
  if (target.content !== undefined) return { text: target.content, from: taintsOf(target), fed: true };
  if (written !== undefined) return { ...written, fed: true };
  const secret = readPath(path, { how: 'content', shown: false }, at.walk.context).some(
    (one) => one.risk === 'credentials',
  );
  return { from: [...taintsOf(target), ...(secret ? (['secret'] as const) : [])], fed: true };
};

/** Remembers what a command wrote where, for when the same call uses the file. */
export const recordOutput = (redirected: Redirected, output: Input, walk: Walk): void => {
  const target = redirected.output;
  if (target === undefined || target.certainty !== 'literal') return;
  const before = target.append ? walk.files.get(target.path) : { text: '', from: [] };
  const known = before?.text !== undefined && output.text !== undefined;
  walk.files.set(target.path, {
    from: [...new Set([...(before?.from ?? []), ...output.from])],
    ...(known ? { text: `${before.text}${output.text}` } : {}),
  });
};
