import { describe, expect, it } from 'vitest';
import { expand } from '../../core/sanitize/detectors/expand.cases.ts';
import { appSamples } from '../../core/sanitize/detectors/samples-apps.cases.ts';
import { infraSamples } from '../../core/sanitize/detectors/samples-infra.cases.ts';
import { defaultPipeline } from '../../core/sanitize/sanitize.ts';
import { plausibleCases } from './plausible.cases.ts';
import { isPlausible, languageOf } from './plausible.ts';
import { textScanner } from './text-scanner.ts';

describe('isPlausible', () => {
  it.each(plausibleCases)('%s %s %s: %s', (file, kind, line, isLikely) => {
    const start = line.indexOf('«');
    const end = line.indexOf('»') - 1;
    const text = line.replace('«', '').replace('»', '');
    expect(isPlausible({ kind, text, start, end }, languageOf(file))).toBe(isLikely);
  });

  it('keeps every known kind of token, in code and elsewhere', () => {
    const { inspect, sanitize } = defaultPipeline({ markers: 'keep' });
    const scan = textScanner({ inspect: (text) => inspect(text).spans, sanitize });
    for (const [id, sample] of [...appSamples, ...infraSamples]) {
      const text = expand(sample).replace(/[[\]]/g, '');
      for (const [language, line] of [
        ['code', `run('${text}')`],
        ['data', text],
      ] as const)
        expect([id, scan([line], { language, isJsonLines: false, report: 'plausible' })]).not.toEqual([id, []]);
    }
  });

  it('takes time linear in the line', () => {
    const text = `password = "${' '.repeat(200_000)}x1"`;
    expect(isPlausible({ kind: 'assignment', text, start: 12, end: text.length - 1 }, 'code')).toBe(true);
  });
});
