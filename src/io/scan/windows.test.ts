import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expand } from '../../core/sanitize/detectors/expand.cases.ts';
import { appSamples } from '../../core/sanitize/detectors/samples-apps.cases.ts';
import { infraSamples } from '../../core/sanitize/detectors/samples-infra.cases.ts';
import { defaultPipeline } from '../../core/sanitize/sanitize.ts';
import { fakes } from './scan-sandbox.cases.ts';
import { inWindows, usualWindow } from './windows.ts';

const { inspect } = defaultPipeline({ markers: 'keep' });
const spansOf = (text: string) => inspect(text).spans;
const size = { length: 2048, overlap: 1024 };
const inSmallWindows = inWindows(spansOf, size);

/** Code as a minifier leaves it: no spaces, no lines. */
const filler = 'function(a,b){return a(b[0],1)};var c=d?e:f;';
const fill = (length: number): string => filler.repeat(Math.ceil(length / filler.length)).slice(0, length);

const samples = [...appSamples, ...infraSamples].map(([id, sample]) => ({
  id,
  text: expand(sample).replace(/[[\]]/g, ''),
}));

describe('inWindows', () => {
  it('loses no secret at any offset around the borders of two windows', () => {
    const { length, overlap } = size;
    const borders = [length - overlap, length - overlap / 2, length];
    for (const border of borders)
      for (let at = border - fakes.github.length - 3; at <= border + 3; at += 1) {
        const text = `${fill(at - 1)} ${fakes.github} ${fill(3000)}`;
        const found = inSmallWindows(text).map(({ start, end }) => [start, end]);
        expect(found, `at ${at}`).toEqual([[at, at + fakes.github.length]]);
      }
  });

  it('finds every known kind of secret wherever it stands in a long line', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.integer({ min: 0, max: 5000 }),
        fc.integer({ min: 0, max: 5000 }),
        ({ text }, before, behind) => {
          const line = `${fill(before)} ${text} ${fill(behind)}`;
          const start = before + 1;
          const found = inSmallWindows(line).filter((span) => span.start < start + text.length && span.end > start);
          expect(found).not.toEqual([]);
        },
      ),
      { numRuns: 600, seed: 7 },
    );
  });

  it('sees the same as one look at the whole, when nothing in it reaches further than half an overlap', () => {
    const piece = fc.oneof(
      fc.constantFrom(...samples.filter(({ text }) => text.length < 300).map(({ text }) => `"${text}"`)),
      fc.integer({ min: 1, max: 900 }).map(fill),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 4, maxLength: 14 }), (pieces) => {
        const line = pieces.join(';');
        const places = (spans: ReturnType<typeof spansOf>) => spans.map(({ start, end }) => `${start}-${end}`);
        expect(places(inSmallWindows(line))).toEqual(places(spansOf(line)));
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it('joins what several windows see of one long secret', () => {
    const encoded = btoa(`the key is ${fakes.github} and nothing else. `.repeat(200));
    const line = `${fill(1500)}"${encoded}"${fill(1500)}`;
    const found = inSmallWindows(line);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ start: 1501, end: 1501 + encoded.length, kind: 'base64' });
  });

  it('gives every stretch to exactly one window: no secret is reported twice', () => {
    const step = 97;
    const marked = Array.from({ length: 60 }, (_, at) => ` ${fakes.github.slice(0, -2)}${10 + at} `);
    const line = marked.map((one) => `${one}${fill(step)}`).join('');
    expect(inSmallWindows(line)).toHaveLength(60);
  });

  it('looks at each character a bounded number of times', () => {
    const seen = (length: number): number => {
      let characters = 0;
      inWindows((text) => {
        characters += text.length;
        return [];
      })('x'.repeat(length));
      return characters;
    };
    const { length, overlap } = usualWindow;
    for (const total of [length, 10 * length, 100 * length])
      expect(seen(total)).toBeLessThanOrEqual((total * length) / (length - overlap) + length);
  });
});
