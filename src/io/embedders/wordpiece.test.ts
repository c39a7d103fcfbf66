import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenizerText, vocabulary } from './model-server.cases.ts';
import { readTokenizer } from './tokenizer-file.ts';
import { type WordPieceSettings, wordPieceTokenizer } from './wordpiece.ts';

const settings = (): WordPieceSettings => {
  const read = readTokenizer(tokenizerText);
  if (!read.ok) throw new Error(read.error);
  return read.value;
};
const tokenize = wordPieceTokenizer(settings());
const names = (ids: readonly number[]): string => ids.map((id) => vocabulary[id]).join(' ');

/** What comes between the first and the last piece. The reference tokenizers of the model's publisher give the same. */
const texts: readonly (readonly [text: string, pieces: string])[] = [
  ['', ''],
  ['git push', 'git push'],
  ['GIT\tPush\n', 'git push'],
  ['running', 'run ##n ##ing'],
  ['git-push', 'git - push'],
  ['a.b/c:0', 'a . b / c : 0'],
  ['gits', 'git ##s'],
  ['caf\u00e9', 'c ##a ##f ##e'],
  ['cafe\u0301', 'c ##a ##f ##e'],
  ['\u00dc', 'u'],
  ['a\u200bb\u0007c\ufffdd', 'a ##b ##c ##d'],
  ['a\u00a0b\u3000c', 'a b c'],
  ['x文y日z', 'x 文 y [UNK] z'],
  ['git $ push', 'git [UNK] push'],
  ['git\u2014push', 'git [UNK] push'],
  ['git🙂', '[UNK]'],
  [
    'abcdefghijklmnopqrst',
    [...'abcdefghijklmnopqrst'].map((letter, at) => (at === 0 ? letter : `##${letter}`)).join(' '),
  ],
  ['abcdefghijklmnopqrstu', '[UNK]'],
  ['[CLS]', '[UNK] c ##l ##s [UNK]'],
];

describe('wordPieceTokenizer', () => {
  it.each(texts)('%j', (text, pieces) => {
    const { ids, isCut } = tokenize(text, 100);
    expect(names(ids)).toBe(['[CLS]', pieces, '[SEP]'].filter(Boolean).join(' '));
    expect(isCut).toBe(false);
  });

  it.each([
    ['git push', 4, '[CLS] git push [SEP]', false],
    ['git push', 3, '[CLS] git [SEP]', true],
    ['running', 4, '[CLS] run ##n [SEP]', true],
    ['git', 2, '[CLS] [SEP]', true],
  ])('cuts %s to %i pieces', (text, most, pieces, isCut) => {
    const found = tokenize(text, most);
    expect(names(found.ids)).toBe(pieces);
    expect(found.isCut).toBe(isCut);
  });

  it('keeps capitals and accents where the model does', () => {
    const cased = wordPieceTokenizer({ ...settings(), isLowerCase: false, stripsAccents: false });
    expect(names(cased('Git git \u00e9', 100).ids)).toBe('[CLS] [UNK] git [UNK] [SEP]');
  });

  it('takes any text in time that grows with it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 2, max: 40 }), (text, most) => {
        const { ids } = tokenize(text, most);
        expect(ids.length).toBeLessThanOrEqual(most);
        expect(ids.every((id) => id < vocabulary.length)).toBe(true);
      }),
    );
    expect(tokenize('x'.repeat(2_000_000), 512).isCut).toBe(true);
    expect(tokenize('a '.repeat(100_000), 512).ids).toHaveLength(512);
  });
});

describe('readTokenizer', () => {
  it.each<[what: string, text: string, problem: string]>([
    ['no JSON', '{', 'tokenizer.json is no JSON'],
    ['another kind', '{"model":{"type":"BPE","vocab":{}}}', 'a tokenizer of type BPE is not supported'],
    ['no vocabulary', '{"model":{}}', 'tokenizer.json has no vocabulary'],
    ['nothing', 'null', 'tokenizer.json has no vocabulary'],
    ['a wrong number', '{"model":{"vocab":{"a":-1}}}', 'the vocabulary has a wrong number'],
    ['no start', '{"model":{"vocab":{"[UNK]":0,"[SEP]":1}}}', 'the vocabulary has no [CLS]'],
  ])('refuses %s', (_, text, problem) => {
    expect(readTokenizer(text)).toEqual({ ok: false, error: problem });
  });

  it('takes what the file says of the text', () => {
    const text = JSON.stringify({
      normalizer: { lowercase: false },
      model: {
        unk_token: '<u>',
        continuing_subword_prefix: '_',
        vocab: { '<u>': 0, '[CLS]': 1, '[SEP]': 2, __proto__x: 3 },
      },
    });
    expect(readTokenizer(text)).toMatchObject({
      ok: true,
      value: { isLowerCase: false, stripsAccents: false, unknown: '<u>', prefix: '_', longestWord: 100 },
    });
  });
});
