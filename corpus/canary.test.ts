import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliSandbox, filed } from '../src/apps/cli/cli-sandbox.cases.ts';
import { makePlace } from '../src/apps/hook/place.cases.ts';
import { expand } from '../src/core/sanitize/detectors/expand.cases.ts';
import { appSamples } from '../src/core/sanitize/detectors/samples-apps.cases.ts';
import { infraSamples } from '../src/core/sanitize/detectors/samples-infra.cases.ts';
import { sanitize } from '../src/core/sanitize/sanitize.ts';

interface Canary {
  readonly id: string;
  /** The sample as a text, and the secret in it. */
  readonly text: string;
  readonly secret: string;
}

const samples: readonly Canary[] = [...appSamples, ...infraSamples].map(([id, sample]) => {
  const marked = expand(sample);
  return { id, text: marked.replaceAll(/[«»]/g, ''), secret: /«(.*)»/s.exec(marked)?.[1] ?? marked };
});

/** Tokens that are one word: they can stand anywhere. */
const tokens = samples.filter(({ text, secret }) => text === secret && /^[\w.:=/+~-]{12,200}$/.test(text));

const quoted = (text: string): string => `${text.slice(0, 6)}"${text.slice(6, 12)}"${text.slice(12)}`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** The ways a secret gets into a command. */
const carriers: Readonly<Record<string, (secret: string) => string>> = {
  header: (secret) => `curl -H "Authorization: Bearer ${secret}" https://api.example.com/v1`,
  'url user': (secret) => `git clone https://user:${secret}@example.com/a.git`,
  'url query': (secret) => `curl 'https://api.example.com/v1?access_token=${secret}&page=2'`,
  option: (secret) => `deploy-tool --token ${secret} push`,
  'option=': (secret) => `deploy-tool --api-key=${secret} push`,
  environment: (secret) => `API_TOKEN=${secret} npm run build`,
  export: (secret) => `export SERVICE_SECRET='${secret}' && npm run build`,
  json: (secret) => `curl -d '{"auth":{"api_key":"${secret}"}}' https://api.example.com`,
  'here-document': (secret) => `cat > config.yml <<'EOF'\ntoken: ${secret}\nEOF`,
  'plain argument': (secret) => `some-tool ${secret} build`,
  'commit message': (secret) => `git commit -m "use ${secret}"`,
  'split by quotes': (secret) => `some-tool ${quoted(secret)} build`,
  base64: (secret) => `echo ${base64(`token=${secret}`)} | some-tool`,
  'percent-encoded': (secret) => `curl https://api.example.com/?q=${percent(secret)}`,
};

/** What of the secret may never be seen: its middle, plain and in every coding. */
const traces = (secret: string): readonly string[] => {
  const middle = secret.slice(Math.floor(secret.length / 4), Math.floor((secret.length * 3) / 4) + 1);
  return middle.length < 8 ? [secret] : [middle, base64(secret).slice(8, 28), percent(middle)];
};

const shows = (text: string, secret: string): boolean => traces(secret).some((trace) => text.includes(trace));

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });

/** The files in which any of the secrets can be seen. */
const leaksIn = (directory: string, secrets: readonly string[]): string[] =>
  filesBelow(directory).flatMap((path) => {
    const text = readFileSync(path, 'latin1');
    return secrets.filter((secret) => shows(text, secret)).map((secret) => `${path}: ${secret.slice(0, 8)}…`);
  });

describe('every known token, in every carrier', () => {
  it.each(Object.entries(carriers))('%s: is gone from the sanitised text', (name, carry) => {
    // A name parted by quotes is no assignment any more.
    const carried = name === 'split by quotes' ? tokens.filter(({ secret }) => !secret.includes('=')) : tokens;
    const missed = carried.filter(({ secret }) => shows(sanitize(carry(secret)).text, secret));
    expect(tokens.length).toBeGreaterThan(150);
    expect(missed.map(({ id, secret }) => `${id} ${secret}`)).toEqual([]);
  });
});

/** One token in six, so that each carrier is tried with every family of tokens within a few seconds. */
const some = tokens.filter((_, number) => number % 6 === 0);

describe('a whole run of the hook', () => {
  it('leaves no secret in any file, reply or error', { timeout: 120_000 }, async () => {
    const place = makePlace();
    const said: string[] = [];
    const hook = async (payload: unknown): Promise<void> => {
      const { stdout, stderr } = await place.hook(payload);
      said.push(stdout, stderr);
    };
    try {
      place.register('coder');
      const names = Object.keys(carriers);
      for (const [number, { secret }] of some.entries()) {
        const carry = carriers[names[number % names.length] ?? ''] ?? ((text: string) => text);
        await hook(place.call('Bash', { command: carry(secret), description: `with ${secret}` }));
        await hook(place.call('mcp__api__send', { body: { token: secret, note: carry(secret) } }));
        await hook(place.call('WebFetch', { url: `https://example.com/?token=${secret}`, prompt: secret }));
        await hook(place.call('Write', { file_path: join(place.project, '.env'), content: `KEY=${secret}` }));
        await hook(
          place.call(
            'Bash',
            { command: carry(secret) },
            { hook_event_name: 'PostToolUse', tool_response: { stdout: secret } },
          ),
        );
      }
      const [first] = some;
      const secret = first?.secret ?? '';
      await hook({
        ...place.call('Bash', { command: 'ls' }),
        hook_event_name: 'UserPromptSubmit',
        prompt: `use ${secret}`,
      });
      await hook({
        ...place.call('Bash', { command: 'ls' }),
        hook_event_name: 'SessionStart',
        source: 'startup',
        note: secret,
      });
      await hook(`{"session_id":"s1","tool_input":{"token":"${secret}"`);
      place.write('.hookwise/policy.yml', `similarity: ${secret}\n`);
      await hook(place.call('Bash', { command: 'npm test' }));
      const planted = join(place.project, '.hookwise/policy.yml');
      const secrets = some.map((one) => one.secret);
      expect(leaksIn(place.home, secrets)).toEqual([]);
      expect(leaksIn(place.project, secrets).filter((leak) => !leak.startsWith(planted))).toEqual([]);
      expect(said.filter((reply) => secrets.some((one) => shows(reply, one)))).toEqual([]);
    } finally {
      place.remove();
    }
  });
});

describe('a whole run of the command line', () => {
  it('leaves no secret in any file or output', { timeout: 120_000 }, async () => {
    const sandbox = cliSandbox();
    const said: string[] = [];
    const run = async (...line: string[]): Promise<void> => {
      const { out, err } = await sandbox.run(line, { yes: true });
      said.push(...out, ...err);
    };
    try {
      for (const [number, { secret }] of some.filter((_, index) => index % 3 === 0).entries()) {
        const carry = Object.values(carriers)[number % Object.keys(carriers).length] ?? ((text: string) => text);
        const id = await filed(sandbox, { command: carry(secret) });
        await run('queue');
        await run('queue', '--json');
        await run(number % 2 === 0 ? 'approve' : 'deny', id);
        await run('explain', carry(secret));
        await run('register', '--session-id', `s-${number}`, '--role', 'coder', '--task', `rotate ${secret}`);
        await run('override', '--role', 'coder', '--command', `some-tool ${secret}`, '--deny', '--scope', 'user');
      }
      await run('stats');
      await run('log');
      await run('suggest');
      await run('build');
      const secrets = some.map((one) => one.secret);
      expect(leaksIn(sandbox.home, secrets)).toEqual([]);
      expect(secrets.filter((one) => shows(said.join('\n'), one)).map((one) => one.slice(0, 8))).toEqual([]);
    } finally {
      sandbox.remove();
    }
  });
});
