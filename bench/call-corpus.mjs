// @ts-check

/** Commands of a coding agent's day: the program with what says what it does, options to choose from, and its operands. */
const templates = /** @type {const} */ ([
  ['git status', '--short --branch --porcelain -uall', ''],
  ['git diff', '--stat --cached --name-only --word-diff -U10', '{file}'],
  ['git log', '--oneline -p --stat --graph --all --reverse', '-{number} {file}'],
  ['git show', '--stat --name-only --format=%H', '{commit}'],
  ['git add', '-A -p -u', '{file}'],
  ['git commit', '--amend --no-verify -a --signoff', '-m "{message}"'],
  ['git checkout', '-b --track -f', '{branch}'],
  ['git push', '--force --tags --set-upstream --dry-run', 'origin {branch}'],
  ['git pull', '--rebase --ff-only --tags', 'origin {branch}'],
  ['npm test', '--silent --workspaces', '-- {file}'],
  ['npm run', '--silent --if-present', '{script} -- --filter {word}'],
  ['npm install', '--save-dev --save-exact --ignore-scripts', '{word}'],
  ['pnpm test', '-r --silent', '{word}'],
  ['yarn add', '--dev --exact', '{word}'],
  ['pytest', '-q -x -v --cov --lf -s', '{file}'],
  ['vitest run', '--coverage --reporter=dot --bail=1', '{file}'],
  ['jest', '--watch --runInBand --ci', '{file}'],
  ['cargo test', '--release --all-features --no-run --workspace', '{word}'],
  ['cargo build', '--release --all-targets --locked', '-p {word}'],
  ['go test', '-race -v -short -count=1', './{word}/...'],
  ['go build', '-v -race', './cmd/{word}'],
  ['make', '-j4 -B -n', '{script}'],
  ['tsc', '--noEmit --watch --pretty', '-p {file}'],
  ['eslint', '--fix --quiet --cache', '{file}'],
  ['prettier', '--write --check --list-different', '{file}'],
  ['ruff check', '--fix --quiet', '{file}'],
  ['docker build', '--no-cache --pull -q', '-t {word}:{number} {directory}'],
  ['docker compose up', '-d --build --force-recreate', '{word}'],
  ['docker logs', '-f --timestamps', '{word}'],
  ['docker exec', '-it -u root', '{word} {script}'],
  ['kubectl get', '-o wide -A --show-labels -w', 'pods {word}'],
  ['kubectl describe', '--show-events', 'service {word}'],
  ['kubectl delete', '--force --wait', 'pod {word}'],
  ['terraform plan', '-no-color -refresh=false', '-out {file}'],
  ['ls', '-l -a -h -t -R', '{directory}'],
  ['cat', '-n', '{file}'],
  ['head', '-n 20', '{file}'],
  ['sed', '-n -i', "'{number},{number}p' {file}"],
  ['grep', '-r -n -i -l -E', '"{word}" {directory}'],
  ['rg', '-n -l -i --hidden', '"{word}" {directory}'],
  ['find', '-type f -maxdepth 2 -newer x', '{directory} -name "*.{extension}"'],
  ['mkdir', '-p -v', '{directory}'],
  ['rm', '-r -f -v', '{directory}'],
  ['cp', '-r -a -n', '{file} {directory}'],
  ['mv', '-n -v', '{file} {directory}'],
  ['touch', '-c', '{file}'],
  ['chmod', '-R -v', '{number} {file}'],
  ['curl', '-s -L -I -f --compressed', 'https://{word}.example/{path}'],
  ['jq', '-r -c -S', "'.{word}' {file}"],
  ['python', '-u -B', '{file} --{word}'],
  ['node', '--test --enable-source-maps', '{file}'],
  ['gh pr view', '--json title --comments --web', '{number}'],
  ['gh run list', '--limit 5 --json status', '--branch {branch}'],
  ['wc', '-l -c', '{file}'],
  ['tar', '-x -z -v', '-f {file}'],
  ['psql', '-q -t -A', '-c "select {word} from {word}"'],
]);
const followers = [
  '| head -20',
  '| wc -l',
  '2>/dev/null',
  '&& git status',
  '| sort | uniq -c',
  '> {file}',
  '2>&1 | tail -5',
];
const words =
  'auth api core util parser lexer router server client worker store cache model view form table chart graph queue index search config build deploy account billing order invoice user admin report export import sync locale theme layout editor image media stream socket token session audit policy shell hook gate fact rule'.split(
    ' ',
  );
const extensions = 'ts tsx js mjs py go rs md json yml css html sql sh toml'.split(' ');
const tops = 'src tests lib docs packages apps scripts tools examples internal'.split(' ');

/** A small deterministic generator of numbers below 1.
 * @param {number} seed */
const numbers = (seed) => {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x1_0000_0000;
  };
};

/** An endless source of commands; the same seed gives the same ones.
 * @param {number} seed */
export const commandSource = (seed) => {
  const next = numbers(seed);
  /** @template Item
   * @param {readonly Item[]} items
   * @returns {Item} */
  const pick = (items) => /** @type {Item} */ (items[Math.floor(next() * items.length)]);
  const path = () => Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(words)).join('/');
  /** @type {Record<string, () => string>} */
  const slots = {
    file: () => `${pick(tops)}/${path()}${next() < 0.3 ? `-${Math.floor(next() * 100)}` : ''}.${pick(extensions)}`,
    directory: () => `${pick(tops)}/${path()}`,
    path,
    word: () => (next() < 0.5 ? pick(words) : `${pick(words)}-${pick(words)}`),
    branch: () => `${pick(['feature', 'fix', 'main', 'release'])}/${pick(words)}-${Math.floor(next() * 1000)}`,
    commit: () => Math.floor(next() * 0xfffffff).toString(16),
    number: () => `${Math.floor(next() * 900)}`,
    script: () => `${pick(['build', 'test', 'lint', 'start', 'check', 'deploy', 'format'])}:${pick(words)}`,
    message: () => Array.from({ length: 5 }, () => pick(words)).join(' '),
    extension: () => pick(extensions),
  };
  /** @param {string} text */
  const filled = (text) => text.replace(/\{(\w+)\}/g, (_, slot) => slots[slot]?.() ?? '');
  return () => {
    const [head, options, operands] = pick(templates);
    const chosen = options.split(' ').filter(() => next() < 0.3);
    const tail = next() < 0.25 ? pick(followers) : '';
    return filled([head, ...chosen, operands, tail].filter(Boolean).join(' '));
  };
};
