// Preloaded with `node --require`: writes what the program has loaded to the file that LOADS_FILE names.
const { writeFileSync } = require('node:fs');
const Module = require('node:module');

const files = new Set();
const load = Module._load;

Module._load = (request, parent, isMain) => {
  if (!Module.isBuiltin(request)) files.add(Module._resolveFilename(request, parent, isMain));
  return load(request, parent, isMain);
};

process.once('exit', () => {
  // Node's own list also knows what `import()` and getters such as `process.stdout` have loaded.
  const builtins = process.moduleLoadList
    .filter((entry) => entry.startsWith('NativeModule '))
    .map((entry) => entry.slice('NativeModule '.length))
    .filter((name) => Module.builtinModules.includes(name));
  writeFileSync(process.env.LOADS_FILE, JSON.stringify({ builtins, files: [...files] }));
});
