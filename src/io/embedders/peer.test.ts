import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPeer } from './peer.ts';
import { installPackage } from './peers.cases.ts';

describe('loadPeer', () => {
  let place = '';
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'hookwise-peer-'));
  });
  afterEach(() => {
    rmSync(place, { recursive: true });
  });

  it('loads a package from beside hookwise', async () => {
    expect(await loadPeer('fast-check')).toHaveProperty('assert');
  });

  it('loads a package from beside a place, and from above it', async () => {
    installPackage(place, 'some-peer', 'exports.answer = 42;');
    mkdirSync(join(place, 'deep/er'), { recursive: true });
    expect(await loadPeer('some-peer', [place])).toHaveProperty('answer', 42);
    expect(await loadPeer('some-peer', ['/nowhere', join(place, 'deep/er')])).toHaveProperty('answer', 42);
  });

  it('loads a package of modules without a default', async () => {
    installPackage(place, 'a-module', 'export const answer = 43;');
    const description = { name: 'a-module', type: 'module', exports: './index.js' };
    writeFileSync(join(place, 'node_modules/a-module/package.json'), JSON.stringify(description));
    expect(await loadPeer('a-module', [place])).toHaveProperty('answer', 43);
  });

  it.each<[name: string, code: string | undefined, message: string]>([
    [
      'not-there',
      undefined,
      'the package not-there is not installed; install it beside hookwise: npm install not-there',
    ],
    ['broken-peer', 'throw new Error("no binary for this machine")', 'no binary for this machine'],
    ['wrong-peer', 'const = 1', 'the package wrong-peer cannot be loaded'],
  ])('says what is wrong with %s', async (name, code, message) => {
    if (code !== undefined) installPackage(place, name, code);
    const failure = loadPeer(name, [place]);
    await expect(failure).rejects.toMatchObject({ kind: 'Embedding' });
    await expect(failure).rejects.toThrow(message);
  });

  it('says what is wrong with a package that cannot be read', async () => {
    installPackage(place, 'odd-peer', '');
    writeFileSync(join(place, 'node_modules/odd-peer/package.json'), '{');
    await expect(loadPeer('odd-peer', [place])).rejects.toMatchObject({ kind: 'Embedding' });
  });
});
