import { isWithin } from '../lexical-path.ts';
import type { ShellEffect, Taint, WordReading } from '../model.ts';
import { asShellText } from '../parameters.ts';
import { readPath } from '../path-effects.ts';
import { hidden, literalText, type Tools, uncovered } from '../tools.ts';

const isForeign = (from: readonly Taint[] | undefined): boolean =>
  from?.some((taint) => taint === 'network' || taint === 'decoded') === true;

/** Code that came over the network, or out of a decoder, in the same call. */
export const foreignCode = (language: string, from: readonly Taint[]): ShellEffect[] => [
  { kind: 'code', language, from, risk: 'fetched-code' },
  {
    kind: 'catastrophe',
    what: `${language} runs what was ${from.includes('network') ? 'fetched' : 'decoded'} in the same call`,
    risk: 'fetched-code',
  },
];

interface CodeOptions {
  readonly sameShell?: boolean;
  readonly positional?: readonly WordReading[] | undefined;
}

/** Shell code given as a word. */
export const codeEffects = (code: WordReading, tools: Tools, options: CodeOptions = {}): ShellEffect[] => {
  if (isForeign(code.from)) return foreignCode('sh', code.from ?? []);
  const { positional, sameShell } = options;
  tools.shell(code, { ...(sameShell ? { sameShell } : {}), ...(positional === undefined ? {} : { positional }) });
  return [];
};

/** A script that is named, for a shell or for `source`. */
export const scriptEffects = (file: WordReading, tools: Tools, options: CodeOptions): ShellEffect[] => {
  if (isForeign(file.from)) return foreignCode('sh', file.from ?? []);
  if (file.content !== undefined) return codeEffects({ kind: 'literal', text: file.content }, tools, options);
  if (file.computed && literalText(file)?.startsWith('/dev/fd/')) return [hidden('code is computed')];
  const target = tools.target(file);
  const written = target.certainty === 'literal' ? tools.walk.files.get(target.path) : undefined;
  if (isForeign(written?.from)) return foreignCode('sh', written?.from ?? []);
  if (written?.text !== undefined) {
    return [
      ...codeEffects({ kind: 'literal', text: written.text }, tools, options),
      { kind: 'run', program: tools.program, script: target.path },
    ];
  }
  if (target.path.startsWith('/dev/stdin') || target.path.startsWith('/dev/fd/')) return inputEffects('sh', tools);
  if (target.certainty !== 'literal') return [hidden('script is computed')];
  const outside = isWithin(target.path, tools.context.root)
    ? []
    : [uncovered(`script outside the project: ${target.path}`)];
  const unseen = written === undefined ? [] : [hidden('runs a file written in the same call')];
  const secret = readPath(target, { how: 'content', shown: false }, tools.context).filter(
    (effect) => effect.risk !== undefined,
  );
  return [{ kind: 'run', program: tools.program, script: target.path }, ...outside, ...unseen, ...secret];
};

/** Code that an interpreter reads from its standard input. */
export const inputEffects = (language: string, tools: Tools): ShellEffect[] => {
  const { input } = tools;
  if (isForeign(input.from)) return foreignCode(language, input.from);
  if (input.text !== undefined && language === 'sh') {
    // What the code itself reads is the rest of it.
    tools.shell({ kind: 'literal', text: asShellText(input.text) }, { input: { from: [], fed: true } });
    return input.text.includes('\uE000') ? [hidden('code is computed')] : [];
  }
  if (input.text !== undefined) return [];
  return input.fed || tools.scope.inside === 'process-substitution'
    ? [{ kind: 'code', language, from: input.from }, hidden('code from standard input')]
    : [uncovered(`${tools.program} starts an interactive session`)];
};
