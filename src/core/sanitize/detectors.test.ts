import { describe, expect, test } from 'vitest';
import { expand } from './detectors/expand.cases.ts';
import { appSamples } from './detectors/samples-apps.cases.ts';
import { infraSamples } from './detectors/samples-infra.cases.ts';
import { compileDetector, detectorsOf, families } from './detectors.ts';
import { keywordIndex } from './keyword-index.ts';
import { sanitize } from './sanitize.ts';

const detectors = detectorsOf(families);
const find = keywordIndex(() => detectors);
const formOf = (id: string): string | undefined => detectors.find((detector) => detector.id === id)?.form;

const samples = [...appSamples, ...infraSamples].map(([id, sample]) => {
  const marked = expand(sample);
  const text = marked.replace(/[[\]]/g, '');
  const isAssigned =
    /^[A-Za-z][\w-]{2,}(?:=|: | = )[^=]/.test(text) && !marked.includes('[') && formOf(id) === 'assigned';
  const bare = isAssigned ? text.replace(/^[\w-]+(?:=|: | = )/, '') : text;
  const secret = /\[([^\]]*)\]/.exec(marked)?.[1] ?? bare;
  return { id, text, secret };
});

describe('detectors', () => {
  test('every detector has a sample, and no id is used twice', () => {
    const ids = detectors.map((detector) => detector.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(samples.map((sample) => sample.id).toSorted()).toEqual(ids.toSorted());
    expect(ids.length).toBeGreaterThan(200);
  });

  test.each(samples)('$id fires on its sample and takes only the secret', ({ id, text, secret }) => {
    const found = find(text).filter((span) => span.kind === id);
    expect([...new Set(found.map(({ start, end }) => text.slice(start, end)))]).toEqual([secret]);
  });

  test.each(samples)('$id: the secret is gone from the sanitised text', ({ text, secret }) => {
    const at = text.lastIndexOf(secret);
    const clean = sanitize(`echo '${text}' | cat`).text;
    expect(clean).not.toContain(secret);
    expect(clean.startsWith(`echo '${text.slice(0, at)}`)).toBe(true);
    expect(clean.endsWith(`${text.slice(at + secret.length)}' | cat`)).toBe(true);
  });

  test.each(samples)('$id does not fire on a stump of its sample', ({ id, text, secret }) => {
    const at = text.lastIndexOf(secret);
    const { keywords = [] } = detectors.find((detector) => detector.id === id) ?? {};
    const prefix = keywords.find((keyword) => formOf(id) === 'token' && secret.startsWith(keyword)) ?? '';
    const stump = `${text.slice(0, at)}${secret.slice(0, prefix.length + 4)}`;
    expect(find(`x ${stump} y`).filter((span) => span.kind === id)).toEqual([]);
  });

  test.each(
    samples.filter(({ id, text }) => formOf(id) === 'token' && /^[A-Za-z0-9]/.test(text) && !/[ /]{2}| /.test(text)),
  )('$id does not fire inside a longer word', ({ id, text, secret }) => {
    const at = text.indexOf(secret);
    expect(find(`foox${text}`).filter((span) => span.kind === id && span.start <= at + 4)).toEqual([]);
  });

  test.each(samples.filter(({ id, text }) => formOf(id) === 'assigned' && /^[A-Z]/.test(text)))(
    '$id does not fire under another name',
    ({ id, text }) => {
      expect(find(text.replace(/^[\w-]+/, 'COLOUR')).filter((span) => span.kind === id)).toEqual([]);
    },
  );

  test.each(samples.filter(({ id }) => formOf(id) === 'mark' && id !== 'telegram-bot-token'))(
    '$id does not fire when its front is missing',
    ({ id, text }) => {
      expect(find(text.slice(3)).filter((span) => span.kind === id)).toEqual([]);
    },
  );

  test.each(detectors)('$id is linear: no repetition of a repetition', (detector) => {
    const source = compileDetector(detector)
      .source.replace(/\\./g, '_')
      .replace(/\[[^\]]*\]/g, '_');
    expect(source).not.toMatch(/[*+}]\??\)(?:[*+]|\{\d+,)/);
  });
});
