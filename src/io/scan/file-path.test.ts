import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinPath, pathText, pathUri } from './file-path.ts';

const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

describe('pathText', () => {
  it.each<[string, Buffer, string]>([
    ['plain', bytes('a/b.txt'), 'a/b.txt'],
    ['UTF-8', bytes('é/日本'), 'é/日本'],
    ['Latin-1', bytes('caf', 0xe9, '.txt'), 'caf\\xe9.txt'],
    ['UTF-8 cut in two', bytes('é', 0xe6, 0x97, '/x'), 'é\\xe6\\x97/x'],
    ['a replacement character by itself', bytes('\ufffd'), '\ufffd'],
  ])('%s', (_, path, text) => expect(pathText(path)).toBe(text));

  it('never throws', () => {
    fc.assert(fc.property(fc.uint8Array(), (path) => void pathText(Buffer.from(path))));
  });
});

describe('pathUri', () => {
  it.each<[string, Buffer, string]>([
    ['plain', bytes('a/b-c_d.txt~'), 'a/b-c_d.txt~'],
    ['blanks and signs', bytes('a b/#?%:"\n'), 'a%20b/%23%3F%25%3A%22%0A'],
    ['UTF-8', bytes('é'), '%C3%A9'],
    ['Latin-1', bytes(0xe9), '%E9'],
  ])('%s', (_, path, uri) => expect(pathUri(path)).toBe(uri));

  it('gives back the bytes', () => {
    const decoded = (uri: string): Buffer =>
      Buffer.from(
        uri.replace(/%([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
        'latin1',
      );
    fc.assert(
      fc.property(fc.uint8Array(), (path) => {
        expect(decoded(pathUri(Buffer.from(path))).equals(path)).toBe(true);
      }),
    );
  });
});

describe('joinPath', () => {
  it.each([
    ['', 'a', 'a'],
    ['/', 'a', '/a'],
    ['a', 'b', 'a/b'],
    ['a/', 'b', 'a/b'],
  ])('%j and %j', (directory, name, path) =>
    expect(joinPath(bytes(directory), bytes(name)).toString('utf8')).toBe(path),
  );
});
