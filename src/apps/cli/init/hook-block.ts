import { fail, ok, type Result } from '../../../core/model/result.ts';

/** What a person adds to a hook of their own. */
export const scanLine = 'hookwise scan --staged .hookwise/ --quiet';

/** Names in the repository's own git configuration under which `init` keeps what to start: nobody else gets them. */
export const programKeys = { node: 'hookwise.node', program: 'hookwise.program' } as const;

/**
 * Runs the scan from where `init` found it, else from PATH. Only a finding stops the commit: where hookwise is gone or
 * cannot look, the commit goes on and the person is told.
 */
export const scanScript = `node=$(git config --get ${programKeys.node} || :)
program=$(git config --get ${programKeys.program} || :)
if [ -x "$node" ] && [ -f "$program" ]; then
  "$node" "$program" ${scanLine.replace(/^hookwise /, '')}
elif command -v hookwise >/dev/null 2>&1; then
  ${scanLine}
else
  (exit 127)
fi
case $? in
  0) exit 0 ;;
  1) echo 'hookwise: not committed. Take the secret out, or excuse what is none in .hookwise/scan-ignore' >&2; exit 1 ;;
  *) echo 'hookwise: NOT scanned for secrets: what is staged of .hookwise/. To mend this, install hookwise and run: hookwise init' >&2; exit 0 ;;
esac`;

const start = '# >>> hookwise >>>';
const end = '# <<< hookwise <<<';

const block = `${start} finds secrets in what is staged of .hookwise/; hookwise init --remove-pre-commit takes this out
(
${scanScript}
) || exit 1
${end}
`;

const wholeBlock = new RegExp(`^${start}[^\\n]*\\n[\\s\\S]*?^${end}[^\\n]*(?:\\n|$)`, 'm');
const shell = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(?:\S*\/)?(?:sh|bash|dash|ash|zsh|ksh)(?:\s|$)/;

/** Whether the hook scans already. */
export const hasBlock = (text: string): boolean => wholeBlock.test(text);

/**
 * A hook with the block in it, new or with everything it had. The block comes first: what it comes before keeps its exit
 * status, and no `exit` or `exec` of it can leave the block out.
 */
export const withBlock = (text: string | undefined): Result<string, string> => {
  if (text === undefined || text.trim() === '') return ok(`#!/bin/sh\n${block}`);
  if (text.startsWith('#!') && !shell.test(text)) return fail('it is no shell script');
  if (hasBlock(text)) return ok(text.replace(wholeBlock, () => block));
  if (text.includes(start)) return fail('it holds only a part of the block of hookwise; take that out by hand');
  const at = insertionPoint(text);
  const before = text.slice(0, at);
  return ok(`${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${block}${text.slice(at)}`);
};

/** Behind the line that names the shell, and behind husky's own start of older versions, which runs the hook again. */
const insertionPoint = (text: string): number => {
  const lines = text.split(/(?<=\n)/);
  const isHead = (line: string, index: number): boolean =>
    (index === 0 && line.startsWith('#!')) || /^\s*\.\s.*\/husky\.sh"?\s*$/.test(line);
  const last = lines.findLastIndex(isHead);
  return lines.slice(0, last + 1).join('').length;
};

/** A hook without the block; nothing when nothing else is in it. */
export const withoutBlock = (text: string): string | undefined => {
  const rest = text.replace(wholeBlock, '');
  return rest.replace(/^#![^\n]*\n?/, '').trim() === '' ? undefined : rest;
};
