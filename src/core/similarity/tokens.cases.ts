/** Two texts and their Jaccard coefficient to three places. */
type Row = readonly [one: string, other: string, coefficient: string];

/** Pairs that look as if one answer served both. With them: the coefficient if only whitespace separated tokens. */
export const nearPairs: readonly (readonly [...Row, onWhitespace: string])[] = [
  ['pytest --cov tests/auth/', 'pytest --cov tests/api/', '0.600', '0.500'],
  ['cargo build --release', 'cargo build --release --target x86_64', '0.500', '0.600'],
  ['rm -rf /tmp/build-output', 'rm -rf /tmp/build-cache', '0.667', '0.500'],
  ['docker compose up', 'docker-compose up', '1.000', '0.250'],
  ['npm test', 'yarn test', '0.333', '0.333'],
  ['cat README.md', 'less README.md', '0.500', '0.333'],
  ['.claude/settings.json', '.claude/settings.json', '1.000', '1.000'],
];

/** Pairs whose second call does more than the first, and what their tokens say all the same. */
export const dangerousPairs: readonly Row[] = [
  ['git push origin main', 'git push origin main --force', '0.800'],
  ['git push origin main', 'git push origin --delete main', '0.800'],
  ['git push origin main', 'git push origin +main', '1.000'],
  ['git push origin main', 'git push origin :main', '1.000'],
  ['git push -u origin feature/login', 'git push -u origin feature/login --force', '0.857'],
  ['git push', 'git push --force', '0.667'],
  ['rm -rf ./build', 'rm -rf / build', '1.000'],
  ['rm -rf /tmp/build', 'rm -rf / tmp/build', '1.000'],
  ['rm -rf ./dist', 'rm -rf ~/dist', '1.000'],
  ['rm -rf .', 'rm -rf /', '1.000'],
  ['cat config.json | jq .name', 'cat config.json | jq .name > config.json', '1.000'],
  ['npm run build && npm test', 'npm run build || npm test', '1.000'],
  ['git checkout main', 'git checkout -- main', '1.000'],
  ['terraform plan -out plan.tf -var-file prod.tfvars', 'terraform apply -out plan.tf -var-file prod.tfvars', '0.889'],
  ['curl -s https://api.example.com/v1/users/list', 'curl -s -X DELETE https://api.example.com/v1/users/list', '0.818'],
  ['kubectl get pods -n prod -l app=web', 'kubectl delete pods -n prod -l app=web', '0.778'],
  ['aws s3 ls s3://prod-data/backups/2026/', 'aws s3 rm s3://prod-data/backups/2026/', '0.750'],
  ['git diff HEAD~1 -- src/app.ts', 'git checkout HEAD~1 -- src/app.ts', '0.750'],
  [
    'npm run build --workspace packages/app --if-present',
    'npm run build --workspace packages/app --if-present; rm -rf .git',
    '0.727',
  ],
  ['docker compose -f docker-compose.test.yml up', 'docker compose -f docker-compose.prod.yml up', '0.714'],
  ['src/auth/handler.ts', 'src/auth/handler.test.ts', '0.800'],
];

/** A text and its tokens. */
export const tokenCases: readonly (readonly [text: string, tokens: string])[] = [
  ['', ''],
  [' \t\r\n\v\f\u00a0\u2003\u3000\u0085\u2028\ufeff', ''],
  ['!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', ''],
  ['x86_64', '64 x86'],
  ['.env', 'env'],
  ['Cargo BUILD --Release', 'build cargo release'],
  ['b a b A a', 'a b'],
  ['a\u00a0b\u3000c\u0085d', 'a b c d'],
  ['caf\u00e9/\u00c4RGER \u7279\u5b9a\u7684.txt', 'caf\u00e9 txt \u00e4rger \u7279\u5b9a\u7684'],
  ['\u00a7 \u2013 \u2026', '\u00a7 \u2013 \u2026'],
  ['\u{1f600}\u{1f600} a', 'a \u{1f600}\u{1f600}'],
  ['\ud800 \udfff\ud800', '\ud800 \udfff\ud800'],
  ['z \u{10000} \uffff', 'z \u{10000} \uffff'],
  ['\u0391\u03a3.\u0392', '\u03b1\u03c2 \u03b2'],
  ['\u0391\u03a3 \u0392', '\u03b1\u03c2 \u03b2'],
  ['a\0b', 'a\0b'],
];
