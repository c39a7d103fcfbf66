import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A directory in which packages that users install are installed for the tests; those tests exist only where it is set. */
export const peerPlaces: readonly string[] = [import.meta.dirname, process.env['HOOKWISE_TEST_PEERS'] ?? ''].filter(
  Boolean,
);

/** Whether a package can be found there. */
export const hasPeer = (name: string): boolean =>
  peerPlaces.some((place) => {
    try {
      createRequire(join(place, 'any.js')).resolve(name);
      return true;
    } catch {
      return false;
    }
  });

/** Installs a package of one file. */
export const installPackage = (place: string, name: string, code: string): void => {
  const directory = join(place, 'node_modules', name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
  writeFileSync(join(directory, 'index.js'), code);
};

/** A package with the interface of usearch that compares with everything. */
export const exactGraphs = `
const fs = require('node:fs');
exports.Index = class {
  constructor(settings) { this.settings = settings; this.rows = []; }
  add(key, vector) { this.rows.push([Number(key), Array.from(vector)]); }
  size() { return this.rows.length; }
  search(query, count) {
    const score = (row) => row.reduce((sum, value, at) => sum + value * query[at], 0) / Math.hypot(...row);
    const best = this.rows.map(([key, row]) => [key, score(row)]).sort((a, b) => b[1] - a[1]).slice(0, count);
    return { keys: BigUint64Array.from(best, ([key]) => BigInt(key)) };
  }
  save(path) { fs.writeFileSync(path, JSON.stringify(this.rows)); }
  load(path) { this.rows = JSON.parse(fs.readFileSync(path, 'utf8')); }
};
`;
