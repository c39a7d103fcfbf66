/** What the cosine of two calls must be: at least, or below. */
export type PairCase = readonly [one: string, other: string];

/** They differ in nothing but data: at least 0.85, the default threshold. */
export const sameButData: readonly PairCase[] = [
  ['pytest --cov tests/auth/', 'pytest --cov tests/api/'],
  ['pytest -x tests/unit/test_a.py::test_one', 'pytest -x tests/unit/test_b.py::test_two'],
  ['eslint src/a.ts', 'eslint src/b/c.ts'],
  ['eslint --fix src/a.ts', 'eslint --fix src/b/c.ts src/d.ts'],
  ['git commit -m "fix the lexer"', 'git commit -m "add a test for slots; see README"'],
  ["git commit -m 'one'", 'git commit -m "two words"'],
  ['git add src/a.ts', 'git add docs/guide.md src/b.ts'],
  ['git checkout feature/a', 'git checkout feature/b'],
  ['mkdir -p src/x', 'mkdir -p src/y'],
  ['rm -rf /tmp/build-output', 'rm -rf /tmp/build-cache'],
  ['cat src/a.ts', 'cat src/core/model/record.ts'],
  ['head -20 src/a.ts', 'head -50 src/b.ts'],
  ["sed -n '1,20p' src/a.ts", "sed -n '100,150p' src/b.ts"],
  ['grep -rn "foo" src', 'grep -rn "class Bar" src'],
  ['rg -n "/api/users" src', 'rg -n "handler" src'],
  ['npm test -- tests/a.test.ts', 'npm test -- tests/b.test.ts'],
  ['npm install lodash', 'npm install express'],
  ['cargo test parser', 'cargo test lexer'],
  ['go test ./pkg/a', 'go test ./pkg/b'],
  ['curl -s https://api.example.org/v1/a', 'curl -s https://api.example.org/v1/b'],
  ['docker logs -f api', 'docker logs -f worker'],
  ['cat <<EOF > notes.md\nfirst\nEOF', 'cat <<EOF > notes.md\nsecond line\nand a third\nEOF'],
  [
    'git commit -m "$(cat <<\'EOF\'\nfix: one thing\n\nAnd why.\nEOF\n)"',
    'git commit -m "$(cat <<\'EOF\'\nadd: another (really); rm it\nEOF\n)"',
  ],
  ['node --test tests/a.mjs', 'node --test tests/b.mjs'],
  ['gh pr view 12', 'gh pr view 345'],
  ['FOO=1 npm test', 'FOO=2 npm test'],
  ['cd src && ls -la', 'cd docs && ls -la'],
];

/** Other names for the same thing: at least 0.85 as well. */
export const sameThing: readonly PairCase[] = [
  ['npm test', 'yarn test'],
  ['npm test', 'pnpm run test'],
  ['npm run build', 'yarn build'],
  ['cat README.md', 'less README.md'],
  ['docker compose up', 'docker-compose up'],
  ['docker compose -f x.yml up -d', 'docker-compose -f y.yml up -d'],
  ['python3 -m pytest tests', 'python -m pytest tests'],
  ['rm -rf build', 'rm -r -f build'],
  ['ls -la', 'ls -al'],
  ['./node_modules/.bin/eslint src', 'eslint src'],
  ['git  status', 'git status'],
  ["cat 'README.md'", 'cat README.md'],
];

/** They want the same in another way: visibly nearer than strangers (at least 0.3), yet no match. */
export const sameIntent: readonly PairCase[] = [
  ['pytest', 'npm test'],
  ['cargo test', 'go test ./...'],
  ['npm run lint', 'eslint .'],
  ['npm run build', 'cargo build'],
  ['prettier', 'npm run format'],
  ['pip install requests', 'cargo add serde'],
];

/** Strangers: below 0.5. */
export const unrelated: readonly PairCase[] = [
  ['ls', 'make'],
  ['ls', 'rm'],
  ['git status', 'npm install'],
  ['cat notes.md', 'docker ps'],
  ['pytest tests', 'rm -rf tests'],
  ['cat src/a.ts', 'rm src/a.ts'],
  ['git status', 'git push'],
  ['npm test', 'npm publish'],
  ['curl https://example.org/x', 'ls -la'],
  ['echo hello', 'sudo reboot'],
];

/** One of them does what the other does not: below 0.85. */
export const changed: readonly PairCase[] = [
  ['git push', 'git push --force'],
  ['git push origin main', 'git push origin main --force'],
  ['git push origin main', 'git push -f origin main'],
  ['git push origin main', 'git push origin --delete main'],
  ['git push origin main', 'git push origin +main'],
  ['git push origin main', 'git push origin :main'],
  ['git reset HEAD', 'git reset --hard HEAD'],
  ['git checkout main', 'git checkout -- main'],
  ['git commit -m "x"', 'git commit -m "x" --no-verify'],
  ['git diff a b c d e f g h', 'git diff --ext-diff a b c d e f g h'],
  ['kubectl get pods', 'kubectl delete pods'],
  ['kubectl get pods', 'kubectl get secrets'],
  ['kubectl -n dev get pods', 'kubectl -n dev delete pods'],
  ['terraform plan -var-file=a.tfvars', 'terraform apply -var-file=a.tfvars'],
  ['aws s3 ls s3://prod/x', 'aws s3 rm s3://prod/x'],
  ['npm run build -- --prod', 'npm run build -- --prod; rm -rf .git'],
  ['npm run build', 'npm run deploy'],
  ['npm run build -- a b c d e', 'npm run build -- a b c d e | sh'],
  ['ls -la src', 'ls -la src > out.txt'],
  ['echo hello', 'echo $HOME'],
  ['echo hello', 'echo "$(id)"'],
  ['ls src', 'ls src/*'],
  ['ls src', 'sudo ls src'],
  ['ls src', 'ls src &'],
  ['rm -rf ./build', 'rm -rf / build'],
  ['rm -rf build', 'rm -rf ../build'],
  ['rm -rf build', 'rm -rf ~/build'],
  ['rm -rf /tmp/a', 'rm -rf /etc/a'],
  ['cat notes.md', 'cat .env'],
  ['cat notes.md', 'cat ~/.ssh/id_rsa'],
  ['curl https://a.example/x', 'curl https://b.example/x'],
  ['curl https://a.example/x', 'curl -X DELETE https://a.example/x'],
  ['scp a.txt me@one.example:x', 'scp a.txt me@two.example:x'],
  ['cargo build --release', 'cargo build --release --target x86_64'],
  ['bash -c "ls"', 'bash -c "rm x"'],
  ['python a.py', 'python b.py'],
  ['python - <<EOF\nprint(1)\nEOF', 'python - <<EOF\nimport os\nEOF'],
  ['node -e "1"', 'node -e "2"'],
  ['xargs ls', 'xargs rm'],
  ['git commit -m "$(cat notes)"', 'git commit -m "$(rm notes)"'],
  ['bash <<EOF\nls\nEOF', 'bash <<EOF\nrm x\nEOF'],
  ['echo a; ls', 'echo a; rm x'],
  ['(ls)', 'ls'],
  ['diff <(ls a) b', 'diff <(rm a) b'],
  ['ls `pwd`', 'ls `rm x`'],
  ['echo a # note', 'echo a; rm x # note'],
  ['A=1 npm test', 'B=1 npm test'],
  ['deploy-tool status', 'deploy-tool destroy'],
  ['/usr/bin/git status', '/tmp/git status'],
];

/** Known not to be told apart here: another file of the same command. The guard of the tier looks at what it is. */
export const notToldApart: readonly PairCase[] = [
  ['docker compose -f compose.test.yml up', 'docker compose -f compose.prod.yml up'],
  ['git push origin main', 'git push origin release'],
  ['npm install lodash', 'npm install l0dash'],
];

/** Calls of other tools: text, text, and whether they match. */
export const otherTools: readonly [tool: string, one: string, other: string, isMatch: boolean][] = [
  ['Read', 'src/a.ts', 'src/b/c.ts', true],
  ['Write', 'src/a.ts', 'src/b.ts', true],
  ['Write', 'src/a.ts', '.claude/settings.json', false],
  ['Write', 'src/a.ts', '../a.ts', false],
  ['Write', 'src/a.ts', '/etc/a.ts', false],
  [
    'WebFetch',
    '{"url":"https://a.example/x","prompt":"say what it is"}',
    '{"url":"https://a.example/y","prompt":"sum it up"}',
    true,
  ],
  ['WebFetch', '{"url":"https://a.example/x"}', '{"url":"https://b.example/x"}', false],
  ['mcp__db__query', '{"sql":"select 1 from a"}', '{"sql":"select 2 from b"}', true],
  ['mcp__db__run', '{"action":"get","id":"a 1"}', '{"action":"delete","id":"a 1"}', false],
  ['mcp__db__run', '{"id":"a 1"}', '{"id":"a 1","force":true}', false],
];
