import { type Aspect, addFeature, balance, type Hash, hashPart, hashText } from './embedding-hash.ts';
import type { Head } from './embedding-heads.ts';

/** What a text was read as, whatever its tool. */
export interface Reading {
  readonly heads: readonly Head[];
  /** Everything that says how the commands are put together: operators, redirections, what the shell fills in. */
  readonly structure: readonly string[];
  /** Hash of what was too long to be read; 0 when all was. */
  readonly rest: Hash;
  readonly effects: readonly string[] | undefined;
}

const aspect = (from: number, size: number, rest: { spread: number; share: number }): Aspect => ({
  from,
  size,
  ...rest,
});

/**
 * The aspects of a call, each in its own places, so that one can never drown another. An unequal shape costs about its
 * share and what differs besides: always more than the 0.15 that the default threshold leaves. Operands and effects
 * together have less than that, so calls that differ in nothing else stay above it.
 */
const aspects = {
  heads: aspect(0, 48, { spread: 8, share: 0.34 }),
  shape: aspect(48, 64, { spread: 64, share: 0.3 }),
  options: aspect(112, 32, { spread: 6, share: 0.18 }),
  structure: aspect(144, 8, { spread: 4, share: 0.06 }),
  operands: aspect(152, 24, { spread: 4, share: 0.07 }),
  effects: aspect(176, 16, { spread: 4, share: 0.05 }),
} as const;

/** The length of a vector of the built-in embedder. */
export const featureDimensions = 192;

const mostHeads = 24;
const mostOptions = 96;
const mostOperands = 48;
const mostEffects = 48;
const mostGrams = 160;

/** The weighted features of a call, as a vector of length 1. */
export const featureVector = (reading: Reading): Float64Array => {
  const vector = new Float64Array(featureDimensions);
  const first = reading.heads[0];
  // What is absent is a feature too, but only between calls that want the same.
  const purpose = hashText(0, first?.intent ?? '');
  addHeads(vector, reading.heads);
  const optionCount = addOptions(vector, reading.heads);
  addFeature(vector, { aspect: aspects.shape, hash: shapeOf(reading), weight: 1 });
  if (optionCount === 0) addFeature(vector, { aspect: aspects.options, hash: purpose, weight: 1 });
  addTexts(vector, { aspect: aspects.structure, texts: reading.structure, purpose });
  addOperands(vector, { heads: reading.heads, purpose });
  addEffects(vector, { effects: reading.effects ?? [], purpose });
  balance(vector, Object.values(aspects));
  return vector;
};

const addHeads = (vector: Float64Array, heads: readonly Head[]): void => {
  for (const head of heads.slice(0, mostHeads)) {
    const add = (text: string, weight: number): void =>
      addFeature(vector, { aspect: aspects.heads, hash: hashText(1, text), weight });
    add(`intent ${head.intent}`, 0.65);
    add(`name ${head.name}`, 0.62);
    add(`program ${head.program}`, 0.44);
    for (const around of head.around.slice(0, mostOptions)) add(`around ${around}`, 0.6);
  }
};

const addOptions = (vector: Float64Array, heads: readonly Head[]): number => {
  let count = 0;
  for (const { name, options, valued } of heads) {
    const seed = hashText(2, name);
    for (const option of options) {
      if (count >= mostOptions) return count;
      addFeature(vector, { aspect: aspects.options, hash: hashText(seed, option), weight: 1 });
      count += 1;
    }
    for (const option of valued) {
      if (count >= mostOptions) return count;
      addFeature(vector, { aspect: aspects.options, hash: hashText(seed, option), weight: 0.5 });
      count += 1;
    }
  }
  return count;
};

/** One number for everything about a call but its data. */
const shapeOf = ({ heads, structure, rest }: Reading): Hash => {
  let shape = rest;
  for (const head of heads) {
    shape = hashText(shape, head.name);
    for (const text of head.around) shape = hashText(shape, text);
    for (const text of head.options) shape = hashText(shape, text);
    for (const text of head.code) shape = hashText(shape, text);
    for (const text of kindsOf(head)) shape = hashText(shape, text);
  }
  for (const text of structure) shape = hashText(shape, text);
  return shape;
};

const addTexts = (vector: Float64Array, of: { aspect: Aspect; texts: readonly string[]; purpose: Hash }): void => {
  for (const text of of.texts.slice(0, mostEffects)) {
    addFeature(vector, { aspect: of.aspect, hash: hashText(3, text), weight: 1 });
  }
  if (of.texts.length === 0) addFeature(vector, { aspect: of.aspect, hash: of.purpose, weight: 1 });
};

const addEffects = (vector: Float64Array, of: { effects: readonly string[]; purpose: Hash }): void => {
  const texts = of.effects.slice(0, mostEffects).flatMap((effect) => [effect, /^[^\s:]*/.exec(effect)?.[0] ?? '']);
  addTexts(vector, { aspect: aspects.effects, texts, purpose: of.purpose });
};

const addOperands = (vector: Float64Array, of: { heads: readonly Head[]; purpose: Hash }): void => {
  const texts = of.heads.flatMap(({ operands }) => operands).slice(0, mostOperands);
  let grams = 0;
  for (const text of texts) {
    const add = (hash: Hash, weight: number): void => addFeature(vector, { aspect: aspects.operands, hash, weight });
    add(hashText(4, text), 1);
    const extension = /\.\w{1,8}$/.exec(text.slice(-9))?.[0];
    if (extension !== undefined) add(hashText(5, extension), 0.8);
    for (let at = 0; at + 3 <= text.length && grams < mostGrams; at++, grams++) {
      add(hashPart(6, { text, from: at, to: at + 3 }), 0.35);
    }
  }
  if (texts.length === 0) addFeature(vector, { aspect: aspects.operands, hash: of.purpose, weight: 1 });
};

const textPrograms = new Set('sed awk gawk grep egrep fgrep rg ag ack jq yq tr perl'.split(' '));

/** Where operands point, as far as their spelling says: what leaves the directory is not like what stays in it. */
const kindsOf = ({ program, operands }: Head): string[] => {
  const kinds = new Set<string>();
  const places = textPrograms.has(program) ? operands.slice(1) : operands;
  for (const operand of places) {
    const kind = kindOf(operand);
    if (kind !== '') kinds.add(kind);
  }
  return [...kinds].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
};

const kindPatterns: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^[a-z][a-z0-9+.-]{0,20}:\/\/[^/]{0,255}/i, 'url'],
  [/^[\w.-]{1,64}@[\w.-]{1,255}:/, 'remote'],
  [/^\/[^/]{0,255}/, 'absolute'],
  [/^~/, 'home'],
  [/^[+:]/, 'mark'],
];
const parent = /(?:^|\/)\.\.(?:\/|$)/;
const hidden = /(?:^|\/)\.[^./]/;

const kindOf = (operand: string): string => {
  if (operand.length > 1024 || /\s/.test(operand)) return '';
  for (const [pattern, kind] of kindPatterns) {
    const found = pattern.exec(operand)?.[0];
    if (found !== undefined) return `${kind} ${found}${parent.test(operand) ? ' parent' : ''}`;
  }
  if (parent.test(operand)) return 'parent';
  return hidden.test(operand) ? 'hidden' : '';
};
