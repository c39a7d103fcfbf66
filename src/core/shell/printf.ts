const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** Backslash escapes as `printf` and `echo -e` read them. */
export const unescaped = (text: string): string =>
  text.replace(/\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|0?[0-7]{1,3}|[abefnrtv\\"'])/g, (_whole, code: string) => {
    const known = simpleEscapes[code];
    if (known !== undefined) return known;
    const isHex = code.startsWith('x') || code.startsWith('u');
    return String.fromCharCode(Number.parseInt(isHex ? code.slice(1) : code, isHex ? 16 : 8) & 0xffff);
  });

/** What `printf` prints for a format and arguments; undefined when it uses more than strings. */
export const printfText = (format: string, args: readonly string[]): string | undefined => {
  if (/%(?![sdib%cq])/.test(format.replace(/%%/g, ''))) return undefined;
  const consumes = /%[sdibcq]/.test(format.replace(/%%/g, ''));
  let remaining = [...args];
  let text = '';
  for (let turn = 0; turn < 64; turn += 1) {
    text += unescaped(format).replace(/%([sdibcq%])/g, (_whole, kind: string) => {
      if (kind === '%') return '%';
      const [next = '', ...rest] = remaining;
      remaining = rest;
      return kind === 'b' ? unescaped(next) : kind === 'c' ? next.slice(0, 1) : next;
    });
    if (!consumes || remaining.length === 0) return text;
  }
  return undefined;
};
