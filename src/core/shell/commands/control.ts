import { namesGate } from '../control-places.ts';
import type { ShellEffect, WordReading } from '../model.ts';
import {
  hidden,
  literalText,
  type Program,
  program,
  type ReadProgram,
  type Tools,
  textsOf,
  uncovered,
} from '../tools.ts';

const plainWords = (args: readonly WordReading[]): boolean =>
  args.every((one) => one.kind === 'literal' && !one.computed);

// Only a call that means what it says, and is started by nothing else, counts as plain.
const gate: ReadProgram = (args, tools) => [
  {
    kind: 'control',
    name: tools.program,
    words: textsOf(args),
    plain:
      plainWords(args) &&
      tools.scope.wrappers.length === 0 &&
      /^(?:top|group|subshell|branch|loop)$/.test(tools.scope.inside) &&
      tools.call.assignments.length === 0 &&
      !tools.input.fed,
    risk: 'control',
  },
];

const agents: ReadProgram = (args, tools) => {
  const texts = textsOf(args);
  if (texts.length === 1 && /^(?:--version|-v|-V|--help|-h|version|help|doctor)$/.test(texts[0] ?? '')) return [];
  const loosens = texts.some(
    (text) =>
      /^--(?:settings|dangerously-skip-permissions|allow-dangerously-skip-permissions|permission-mode|setting-sources|mcp-config|plugin-dir|allowed-?tools|yolo|dangerously-bypass-approvals-and-sandbox|full-auto|sandbox|bare)(?:=|$)/i.test(
        text,
      ) || /disableAllHooks|bypassPermissions/i.test(text),
  );
  if (loosens) return [{ kind: 'control', name: tools.program, words: texts, plain: false, risk: 'control' }];
  if (/^(?:config|mcp|plugin|plugins|install|setup-token|update|auth|login|logout)$/.test(texts[0] ?? ''))
    return [
      { kind: 'control', name: `${tools.program} settings`, words: texts, plain: false, risk: 'disable-control' },
    ];
  return [hidden('starts another agent')];
};

const upstreamNamesGate = (tools: Tools): boolean =>
  tools.walk.commands
    .slice(-6)
    .some(
      (command) =>
        /^(?:pgrep|ps|pidof|grep|lsof|ss|fuser|cat|awk)$/.test(command.program) &&
        command.words.some((one) => namesGate(textsOf([one])[0] ?? '')),
    );

const kill: ReadProgram = (args, tools) => {
  const texts = textsOf(args);
  if (texts.length === 1 && /^-l$|^-L$|^--list$/.test(texts[0] ?? '')) return [];
  const computed = args.some((one) => one.kind !== 'literal' || one.computed);
  if (texts.some(namesGate) || (computed && upstreamNamesGate(tools)))
    return [{ kind: 'control', name: tools.program, words: texts, plain: false, risk: 'control' }];
  const effects: ShellEffect[] = [{ kind: 'signal', what: texts.join(' ') }];
  if (texts.some((text) => text === '-1') && texts.at(-1) === '-1' && texts.length > 1)
    return [{ kind: 'catastrophe', what: 'kills every process', risk: 'destroy' }];
  if (
    /^p?kill(?:all)?$/.test(tools.program) &&
    tools.program !== 'kill' &&
    texts.some((text) => /^(?:node|claude|\.\*?|\*|bash|zsh|sh|tmux|sshd|systemd|init)$/.test(text))
  )
    return [{ kind: 'signal', what: texts.join(' '), risk: 'disable-control' }];
  return effects;
};

const terminalKeys: ReadProgram = (args, tools) => {
  const texts = textsOf(args);
  const at = texts.findIndex((text) => !text.startsWith('-'));
  const verb = texts[at] ?? '';
  const rest = args.slice(at + 1);
  if (at < 0) return [uncovered('opens a terminal')];
  if (
    /^(?:ls|list-sessions|list-windows|list-panes|lsw|lsp|has-session|has|display-message|display|show-options|info|list-keys|capture-pane|capturep|list-clients)$/.test(
      verb,
    )
  )
    return [];
  if (/^(?:send-keys|send|send-prefix|set-buffer|load-buffer|paste-buffer)$/.test(verb)) {
    const typed = rest.filter((one) => !/^-|^(?:Enter|C-m|Space|Tab|Escape|C-[a-z])$/.test(literalText(one) ?? ''));
    for (const one of typed) tools.shell(one);
    return [hidden('types into a terminal')];
  }
  if (
    /^(?:new|new-session|neww|new-window|split-window|splitw|run-shell|run|respawn-pane|respawnp|popup|display-popup|if-shell|pipe-pane)$/.test(
      verb,
    )
  ) {
    const code = rest.filter(
      (one, index) =>
        !/^-/.test(literalText(one) ?? '') &&
        !/^-[stcnxyFeEtlp]+[stcnxyFelp]$|^-[stcnxyFelp]$/.test(literalText(rest[index - 1]) ?? ''),
    );
    for (const one of code) tools.shell(one);
    return [{ kind: 'run', program: 'tmux' }, ...(code.length === 0 ? [] : [hidden('runs in a terminal')])];
  }
  return [uncovered(`${tools.program} ${verb}`)];
};

const screen: ReadProgram = (args, tools) => {
  const texts = textsOf(args);
  if (/^-(?:ls|list|v)$/.test(texts[0] ?? '')) return [];
  const stuff = texts.indexOf('stuff');
  if (texts.includes('-X')) {
    const typed = args[stuff + 1];
    if (stuff >= 0 && typed !== undefined) tools.shell(typed);
    return [hidden('types into a terminal')];
  }
  let index = 0;
  while (index < texts.length && /^-/.test(texts[index] ?? ''))
    index += /^-[SsTtcehp]$|^-dmS$|^-\w*S$/.test(texts[index] ?? '') ? 2 : 1;
  tools.command(args.slice(index));
  return [{ kind: 'run', program: 'screen' }];
};

/** The gate itself, the agents it watches, and ways to reach terminals and processes. */
export const control: readonly Program[] = [
  program('hookwise captain-hook hooker', gate),
  program('claude codex gemini opencode cursor-agent aider goose amp crush copilot qwen', agents),
  program('kill pkill killall killall5 skill fuser xkill', kill),
  program('tmux byobu zellij', terminalKeys),
  program('screen', screen),
  program('write wall mesg', () => [hidden('writes to a terminal')]),
];
