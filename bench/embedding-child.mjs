// @ts-check

import { localEmbedder } from '../src/core/similarity/embedder.ts';
import { openVectorFile } from '../src/io/vectors/vector-file.ts';

const start = performance.now();
const query = localEmbedder().embed({ tool: 'Bash', text: 'git push --tags origin feature/auth-1' });
const embedded = performance.now();
const file = openVectorFile(process.argv[2] ?? '');
const opened = performance.now();
const found = file?.index.searchAbove(query, { threshold: 0.85 });
const searched = performance.now();
file?.close();
if (found === undefined) throw new Error('the index is damaged');
console.log(JSON.stringify({ embed: embedded - start, open: opened - embedded, search: searched - opened }));
