// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expand } from './detectors/expand.cases.ts';
import { appSamples } from './detectors/samples-apps.cases.ts';
import { infraSamples } from './detectors/samples-infra.cases.ts';
import { sanitizeJson } from './json.ts';
import { lex } from './lex.ts';
import { segmentsOf } from './lex-state.ts';
import { escapeMarkers } from './markers.ts';
import { ordinary } from './ordinary.cases.ts';
import { percent, slotForms, tokenForms } from './properties.cases.ts';
import { sanitize, sanitizeText } from './sanitize.ts';
import { slotCases } from './slots.cases.ts';

const runs = { numRuns: 400, seed: 20 };

// Pieces that mean something to one of the layers, so that hostile combinations come up often.
const fragment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ordinary.flatMap((text) => text.split(' '))) },
  { weight: 3, arbitrary: fc.constantFrom(...slotCases.map(([input]) => input)) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        ' ',
        '"',
        "'",
        '\\"',
        '\\',
        '\n',
        ';',
        '|',
        '&&',
        '$(',
        ')',
        '`',
        '${',
        '}',
        '$X',
        '<<EOF',
        'EOF',
        '#',
        '=',
        ':',
        ',',
      ],
      ...[
        'password=',
        '--token ',
        'Authorization: Bearer ',
        'Cookie: a=',
        'https://u:',
        '@h/',
        '?sig=',
        'mysql -p',
        '-H ',
      ],
      ...[
        '<SECRET:',
        '<SECRET:jwt>',
        '<REDACTED>',
        'LITERAL:',
        '<LITERAL:',
        '%41',
        '%3D',
        'eyJ',
        'case x in a)',
        '{{',
        "$'",
      ],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);
const hostile = fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join(''));

const tokens = [...appSamples, ...infraSamples]
  .map(([, sample]) => sample)
  .filter((sample) => !/[=:[|" ]/.test(sample.replace(/=+$/, '')))
  .map(expand);

const secretAlphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'];
const password = fc
  .array(fc.constantFrom(...secretAlphabet), { minLength: 10, maxLength: 32 })
  .map((characters) => `q${characters.join('')}7Z`);

describe('properties', () => {
  test('never throws, keeps within a bound, and spans are in order', () => {
    fc.assert(
      fc.property(hostile, (input) => {
        const { text, spans } = sanitize(input);
        expect(text.length).toBeLessThanOrEqual(24 * input.length + 64);
        let end = 0;
        for (const span of spans) {
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(span.end).toBeGreaterThan(span.start);
          end = span.end;
        }
        expect(end).toBeLessThanOrEqual(input.length);
      }),
      runs,
    );
  });

  test('the second time finds nothing new', () => {
    fc.assert(
      fc.property(hostile, (input) => {
        const { text } = sanitize(input);
        expect(sanitizeText(text)).toBe(text);
        expect(sanitize(text).spans).toEqual([]);
      }),
      runs,
    );
  });

  test('what is outside the spans can be read back: no two inputs that differ there look the same', () => {
    const placeholder = /<(?:SECRET:[a-z0-9-]+|LITERAL:((?:LITERAL:)*(?:SECRET:|REDACTED>)))>?/g;
    fc.assert(
      fc.property(hostile, (input) => {
        const { text, spans } = sanitize(input);
        const kept: string[] = [];
        let at = 0;
        for (const { start, end } of spans) {
          kept.push(input.slice(at, start));
          at = end;
        }
        kept.push(input.slice(at));
        const parts: string[] = [''];
        let from = 0;
        for (const found of text.matchAll(placeholder)) {
          const isRedaction = found[1] === undefined;
          parts[parts.length - 1] += text.slice(from, found.index);
          if (isRedaction) parts.push('');
          else parts[parts.length - 1] += `<${found[1]}`;
          from = found.index + (isRedaction ? found[0].length : '<LITERAL:'.length + (found[1] ?? '').length);
        }
        parts[parts.length - 1] += text.slice(from);
        expect(parts).toEqual(kept);
      }),
      runs,
    );
  });

  test('escaping keeps different texts different', () => {
    const markers = fc.array(fc.constantFrom('<', 'LITERAL:', 'SECRET:', 'REDACTED>', 'x', '>'), { maxLength: 8 });
    fc.assert(
      fc.property(markers, markers, (one, other) => {
        fc.pre(one.join('') !== other.join(''));
        expect(escapeMarkers(one.join(''))).not.toBe(escapeMarkers(other.join('')));
        expect(escapeMarkers(one.join(''))).not.toMatch(/<SECRET:|<REDACTED>/);
      }),
      runs,
    );
  });

  test('a span never takes an expansion, and never a separator outside quotes', () => {
    const parts = fc.array(
      fc.constantFrom('x', ' ', '$X', '$(rm y)', '`rm y`', '${rm}', ';rm y', '|rm', '&&rm', '\n', 'rm'),
      {
        maxLength: 6,
      },
    );
    const before = fc.constantFrom(
      'tool --token ',
      'TOKEN=',
      'curl -H X-Api-Key:',
      'https://u:',
      'mysql -p',
      'password: ',
    );
    fc.assert(
      fc.property(before, parts, (start, rest) => {
        const input = start + rest.join('');
        for (const span of sanitize(input).spans) {
          expect(input.slice(span.start, span.end)).not.toMatch(/[$`;|&\n ]/);
        }
      }),
      runs,
    );
  });

  test.each(slotForms.map((form, index) => ({ index, form, shape: form('PASSWORD') })))(
    'never prints a password: $shape',
    ({ form }) => {
      fc.assert(
        fc.property(password, (secret) => {
          const input = form(secret);
          const { text } = sanitize(input);
          expect(text).not.toContain(secret);
          expect(text).not.toContain(percent(secret));
          expect(text).not.toContain(btoa(secret).slice(0, 12));
          expect(JSON.stringify(sanitizeJson({ tool: { input } }).value)).not.toContain(secret);
        }),
        { numRuns: 60, seed: 20 },
      );
    },
  );

  test.each(tokenForms.map((form) => ({ form, shape: form('TOKEN') })))(
    'never prints a known token: $shape',
    ({ form }) => {
      for (const token of tokens) {
        const { text } = sanitize(form(token));
        expect(text).not.toContain(token);
        expect(text).not.toContain(form(token));
      }
    },
  );

  test('two passwords in one slot give one canonical text, two hosts do not', () => {
    fc.assert(
      fc.property(fc.constantFrom(...slotForms.slice(0, 19)), password, password, (form, one, other) => {
        expect(sanitize(form(one)).canonical).toBe(sanitize(form(other)).canonical);
        expect(sanitize(`${form(one)} a`).canonical).not.toBe(sanitize(`${form(one)} b`).canonical);
      }),
      runs,
    );
  });

  test('lex never loses a character of a word and stays inside its range', () => {
    fc.assert(
      fc.property(hostile, (input) => {
        const { commands, loose } = lex(input, { from: 0, to: input.length });
        for (const range of loose) expect(range.from).toBeLessThanOrEqual(range.to);
        for (const word of commands.flat()) {
          for (const { start, end } of segmentsOf(word)) {
            expect(start).toBeGreaterThanOrEqual(word.start);
            expect(end).toBeLessThanOrEqual(input.length);
            expect(start).toBeLessThanOrEqual(end);
          }
        }
      }),
      runs,
    );
  });

  test.each([
    'eyJ-',
    'password=',
    '"password": "a b", ',
    'mysql -pa ',
    '--token "',
    '$(',
    '<<A\n',
    '://a:',
    'Cookie: a=b;',
    '%41',
    'A+/=',
  ])('work grows in step with the length: %s', (part) => {
    const fastest = (length: number): number => {
      const input = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      return Math.min(
        ...Array.from({ length: 5 }, () => {
          const start = process.cpuUsage();
          sanitize(input);
          const { user, system } = process.cpuUsage(start);
          return user + system;
        }),
      );
    };
    fastest(20_000);
    expect(fastest(80_000) / Math.max(fastest(20_000), 500)).toBeLessThan(12);
  });
});
