import { describe, expect, test } from 'vitest';
import { HookwiseError } from '../model/errors.ts';
import { expand } from './detectors/expand.cases.ts';
import { shannonEntropy } from './entropy.ts';
import { ordinary } from './ordinary.cases.ts';
import {
  ahoCorasickSanitizer,
  defaultPipeline,
  entropySanitizer,
  regexSanitizer,
  sanitize,
  sanitizePipeline,
  sanitizeText,
} from './sanitize.ts';
import { confusedQuotes, lossyCases, slotCases } from './slots.cases.ts';

const plain = defaultPipeline({ placeholder: 'plain' });

describe('sanitize', () => {
  test.each(slotCases)('%s', (input, output) => {
    const { text, canonical, lossy } = sanitize(input);
    expect(text).toBe(output);
    expect(canonical).toBe(output);
    expect(lossy).toBe(false);
  });

  test.each(lossyCases)('lossy: %s', (input, output) => {
    expect(sanitize(input)).toMatchObject({ text: output, lossy: true });
  });

  test.each(ordinary)('unchanged: %s', (input) => {
    expect(sanitize(input)).toMatchObject({ text: input, canonical: input, spans: [], lossy: false });
  });

  test('there are enough ordinary texts', () => {
    expect(new Set(ordinary).size).toBeGreaterThan(150);
  });

  test.each(confusedQuotes)('a command is never swallowed: %s', (input) => {
    const removed = sanitize(input).spans.map(({ start, end }) => input.slice(start, end));
    expect(removed.join('\n')).not.toContain('rm');
  });

  test('the worked example', () => {
    const input = 'curl -H "Authorization: Bearer sk-ant-abc123xyz" https://api.example.com';
    expect(plain.sanitize(input)).toBe('curl -H "Authorization: Bearer <REDACTED>" https://api.example.com');
    expect(sanitize(input).text).toBe(input.replace('sk-ant-abc123xyz', '<SECRET:anthropic-key>'));
    expect(sanitize(input).lossy).toBe(false);
  });

  test('two bearer tokens, one key', () => {
    const call = (token: string): string => sanitize(`curl -H "Authorization: Bearer ${token}" https://h/x`).canonical;
    expect(call('one-opaque-token')).toBe(call('another0opaque1token2'));
    expect(call('one-opaque-token')).not.toBe(call('$TOKEN'));
  });

  test.each([
    'sk-ant-{W24}',
    'sk-{A48}',
    'ghp_{A36}',
    'gho_{A36}',
    'ghs_{A36}',
    'github_pat_{A22}_{A59}',
    'AKIA{U16}',
    'ASIA{U16}',
    'xoxb-{D12}-{A24}',
    'xoxp-{D12}-{A24}',
    'glpat-{A20}',
    'glsa-{A32}',
    'glsa_{A32}_{H8}',
    'npm_{A36}',
    'pypi-AgEIcHlwaS5vcmc{W80}',
    'AGE-SECRET-KEY-1{U58}',
    '-----BEGIN OPENSSH PRIVATE KEY-----\n{B64}\n{B64}\n{B18}==\n-----END OPENSSH PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----\\n{B64}\\n{B20}\\n-----END RSA PRIVATE KEY-----',
  ])('free token %s', (sample) => {
    const token = expand(sample);
    const { text, lossy, canonical } = sanitize(`echo ${token} > f`);
    expect(text).toMatch(
      /^echo (?:-----[A-Z ]*-----(?:\n|\\n))?<SECRET:[a-z0-9-]+>(?:(?:\n|\\n)-----[A-Z ]*-----)? > f$/,
    );
    expect(lossy).toBe(true);
    expect(canonical).toBe(`echo ${token} > f`);
  });

  test('a known token in a URL is in a structural slot', () => {
    const token = expand('ghp_{A36}');
    expect(sanitize(`git clone https://${token}@github.com/a/b`)).toMatchObject({
      text: 'git clone https://<SECRET:github-pat>@github.com/a/b',
      lossy: false,
    });
  });

  test('encoded once', () => {
    const token = expand('ghp_{A36}');
    expect(sanitize(`echo ${btoa(`x=${token}\n`)} | base64 -d`).text).toBe('echo <SECRET:base64> | base64 -d');
    expect(sanitize(`echo ${btoa('password=hunter2 and some more text')}`).text).toBe('echo <SECRET:base64>');
    expect(sanitize('open h?to=https%3A%2F%2Fx%3Fpassword%3Dhunter2%26a%3D1').text).toBe(
      'open h?to=https%3A%2F%2Fx%3Fpassword%3D<SECRET:parameter>%26a%3D1',
    );
    const encoded = [...token].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    expect(sanitize(`open h/${encoded}/x`).text).toBe('open h/<SECRET:github-pat>/x');
    expect(sanitize(`echo ${btoa('nothing to see here, only an ordinary sentence')}`).spans).toEqual([]);
  });

  test('random tokens of unknown kinds', () => {
    const random = expand('{A40}');
    expect(sanitize(`deploy region=${random} x`)).toMatchObject({
      text: 'deploy region=<SECRET:entropy> x',
      lossy: true,
    });
    expect(sanitize(`deploy "${random}"`).text).toBe('deploy "<SECRET:entropy>"');
    expect(sanitize(`deploy ${random}`).spans).toEqual([]);
    expect(sanitize(`signature=${expand('{H64}')}`).text).toBe('signature=<SECRET:hex>');
    expect(sanitize(`commit=${expand('{H40}')} etag=${expand('{H32}')}`).spans).toEqual([]);
  });

  test('text that looks like a redaction is escaped and stays different', () => {
    expect(sanitize('echo <SECRET:github-pat> <REDACTED>').text).toBe(
      'echo <LITERAL:SECRET:github-pat> <LITERAL:REDACTED>',
    );
    expect(sanitize('echo <LITERAL:REDACTED>').text).toBe('echo <LITERAL:LITERAL:REDACTED>');
    const fake = sanitize('curl -H "X-Api-Key: <SECRET:header>" h');
    const real = sanitize('curl -H "X-Api-Key: hunter2" h');
    expect(fake.text).not.toBe(real.text);
    expect(fake.canonical).not.toBe(real.canonical);
    expect(plain.sanitize('T_KEY=<REDACTED>')).not.toBe(plain.sanitize('T_KEY=hunter2'));
  });

  test('sanitizeText changes nothing the second time', () => {
    for (const [input] of [...slotCases, ...lossyCases]) {
      const once = sanitize(input).text;
      expect(sanitizeText(once)).toBe(once);
      expect(sanitize(once).spans).toEqual([]);
    }
  });

  test('spans count in the text that was given', () => {
    const input = 'echo <SECRET:x>; tool --token hunter2';
    const { spans } = sanitize(input);
    expect(spans).toEqual([{ start: 30, end: 37, kind: 'option', slot: 'structural' }]);
    expect(input.slice(30, 37)).toBe('hunter2');
  });
});

describe('layers', () => {
  test('names', () => {
    const layers = [ahoCorasickSanitizer(['X_']), regexSanitizer([]), entropySanitizer()];
    expect(layers.map((layer) => layer.name)).toEqual(['aho-corasick', 'regex', 'entropy']);
    expect(defaultPipeline().layers.map((layer) => layer.name)).toEqual([
      'aho-corasick',
      'regex',
      'entropy',
      'encoding',
    ]);
  });

  test('custom prefixes end where the word ends', () => {
    const layer = ahoCorasickSanitizer(['acme_']);
    expect(layer.sanitize('run "acme_abc123", acme_x9y8z7; xacme_abc123 acme_')).toBe(
      'run "<SECRET:prefix>", <SECRET:prefix>; xacme_abc123 acme_',
    );
  });

  test('custom patterns', () => {
    const layer = regexSanitizer(['acme-\\d{4}', 'pin is (?<secret>\\d+)', 'bearer\\s+[a-z0-9_\\-\\.]{20,}']);
    expect(layer.sanitize('ACME-1234 and pin is 99')).toBe('<SECRET:pattern> and pin is <SECRET:pattern>');
    expect(layer.sanitize(`Bearer ${'a'.repeat(20)}`)).toBe('<SECRET:pattern>');
  });

  test.each(['(', '[a', '(a+)+b', '(a|aa)*c', '(?:x*y*)*', '(a)\\1', '((a{2,})b)+'])(
    'pattern %s is refused',
    (pattern) => {
      expect(() => regexSanitizer([pattern])).toThrow(HookwiseError);
      expect(() => regexSanitizer([pattern])).toThrow(/^invalid policy: sanitizer pattern/);
    },
  );

  test.each([
    '(api[_-]?key|token|secret|password)\\s*[=:]\\s*\\S{8,}',
    'postgres://\\S+:\\S+@',
    '(--password|--token|-p)\\s+\\S{8,}',
    '(?:ab){2,3}c',
  ])('pattern %s is accepted', (pattern) => {
    expect(() => regexSanitizer([pattern])).not.toThrow();
  });

  test('entropy limits', () => {
    const token = 'a1B2c3D4e5';
    expect(entropySanitizer().sanitize(`x=${token}`)).toBe(`x=${token}`);
    expect(entropySanitizer({ minLength: 10, minEntropy: 3 }).sanitize(`x=${token}`)).toBe('x=<SECRET:entropy>');
    expect(entropySanitizer({ minEntropy: 6 }).sanitize(`x=${expand('{A40}')}`)).toBe(`x=${expand('{A40}')}`);
    expect(entropySanitizer().sanitize(`x: ${expand('{A40}')}`)).toBe('x: <SECRET:entropy>');
  });

  test('shannonEntropy', () => {
    expect(shannonEntropy('aaaa')).toBe(0);
    expect(shannonEntropy('')).toBe(0);
    expect(shannonEntropy('abcd')).toBe(2);
    expect(shannonEntropy('0123456789abcdef')).toBe(4);
  });

  test('a pipeline runs the layers it is given', () => {
    const pipeline = sanitizePipeline([ahoCorasickSanitizer(['acme_']), regexSanitizer(['zzz\\d+'])]);
    expect(pipeline.sanitize('acme_1234 zzz1 password=hunter2')).toBe(
      '<SECRET:prefix> <SECRET:pattern> password=hunter2',
    );
    expect(sanitizePipeline([]).sanitize('password=hunter2 <REDACTED>')).toBe('password=hunter2 <LITERAL:REDACTED>');
  });
});
