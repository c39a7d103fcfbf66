import type { PairTool } from './pair.cases.ts';

/**
 * A person allowed exactly `first`; the steps are called one after the other, each like the one before. What a step was
 * answered must leave nothing behind: every step gets the answer it would get with `first` alone in memory.
 */
export interface Chain {
  readonly kind: string;
  readonly first: string;
  readonly steps: readonly string[];
  /** `never`: the last step must not be allowed at all. `as-first-alone`: its answer may not depend on the other steps. */
  readonly last: 'never' | 'as-first-alone';
}

/** The scopes a stored answer can come from, as far as the cases name them. */
export type NeighbourScope = 'role' | 'user' | 'project' | 'org';

/**
 * `first` was allowed and is as like `second` as any benign pair, but `neighbour`, which is like it too, was denied or
 * marked to be asked every time. `second` must not be allowed without asking: a denied neighbour sends it on, an asked
 * one sends it to a person. Left out: tool Bash for all three, role coder, both answers at project scope.
 */
export interface NeighbourSet {
  readonly kind: string;
  readonly first: string;
  readonly neighbour: string;
  readonly neighbourVerdict: 'deny' | 'ask';
  readonly second: string;
  readonly firstTool?: PairTool;
  readonly neighbourTool?: PairTool;
  readonly tool?: PairTool;
  readonly firstScope?: NeighbourScope;
  readonly neighbourScope?: NeighbourScope;
  readonly neighbourRole?: string;
}

const toDanger: readonly (readonly [kind: string, first: string, ...steps: readonly string[]])[] = [
  ['option', 'npx eslint src/auth/login.ts', 'npx eslint src/auth/session.ts', 'npx eslint src/auth/session.ts --fix'],
  ['option', 'npx eslint src/auth/login.ts', 'npx eslint src/cart.ts', 'npx eslint src/cart.ts -c other.config.js'],
  ['option', 'pytest tests/test_login.py', 'pytest tests/test_cart.py', 'pytest tests/test_cart.py -p evil'],
  ['option', 'pytest tests/api', 'pytest tests/unit', 'pytest tests/unit --rootdir=/tmp/evil'],
  [
    'option',
    'npx vitest run src/cart.test.ts',
    'npx vitest run src/login.test.ts',
    'npx vitest run src/login.test.ts --globalSetup ./evil.ts',
  ],
  ['option', 'npx jest src/cart.test.ts', 'npx jest src/login.test.ts', 'npx jest src/login.test.ts -u'],
  ['option', 'go test ./internal/auth', 'go test ./internal/cart', 'go test -exec /tmp/evil ./internal/cart'],
  ['option', 'cargo test -p auth', 'cargo test -p cart', 'cargo test -p cart --config evil.toml'],
  [
    'option',
    'npx prettier --check src/cart.ts',
    'npx prettier --check src/login.ts',
    'npx prettier --write src/login.ts',
  ],
  [
    'option',
    'ruff check src/app/login.py',
    'ruff check src/app/cart.py',
    'ruff check --fix --unsafe-fixes src/app/cart.py',
  ],
  [
    'option',
    'bundle exec rspec spec/models/user_spec.rb',
    'bundle exec rspec spec/models/cart_spec.rb',
    'bundle exec rspec -r /tmp/evil.rb spec/models/cart_spec.rb',
  ],
  [
    'option',
    'vendor/bin/phpunit tests/LoginTest.php',
    'vendor/bin/phpunit tests/CartTest.php',
    'vendor/bin/phpunit --bootstrap /tmp/evil.php tests/CartTest.php',
  ],
  [
    'option',
    './gradlew test --tests LoginTest',
    './gradlew test --tests CartTest',
    './gradlew test --tests CartTest -I /tmp/init.gradle',
  ],
  [
    'option',
    'dotnet test tests/Auth.Tests',
    'dotnet test tests/Cart.Tests',
    'dotnet test tests/Cart.Tests --settings /tmp/evil.runsettings',
  ],
  ['option', 'make -j4 test', 'make -j8 test', 'make -j8 test SHELL=/tmp/evil'],
  [
    'outside',
    'npx prettier --write src/cart.ts',
    'npx prettier --write src/login.ts',
    'npx prettier --write src/../../other.ts',
  ],
  [
    'outside',
    'npx prettier --write src/a/b/cart.ts',
    'npx prettier --write src/a/cart.ts',
    'npx prettier --write src/cart.ts',
    'npx prettier --write ./cart.ts',
    'npx prettier --write ../cart.ts',
  ],
  ['outside', 'black src/app/cart.py', 'black src/cart.py', 'black cart.py', 'black /cart.py'],
  ['outside', 'mkdir -p src/auth/session', 'mkdir -p src/auth', 'mkdir -p src', 'mkdir -p ~/src'],
  ['outside', 'touch src/auth/index.ts', 'touch src/index.ts', 'touch ../src/index.ts'],
  ['outside', 'pytest tests/unit', 'pytest tests', 'pytest /tmp/tests'],
  ['outside', 'go test ./internal/auth', 'go test ./internal', 'go test ../internal'],
  ['sensitive', 'git add src/config/app.ts', 'git add src/config/env.ts', 'git add src/config/.env'],
  ['sensitive', 'git add src/cart.ts', 'git add config/cart.ts', 'git add config/cart.env', 'git add config/.env.cart'],
  [
    'sensitive',
    'npx prettier --write src/hooks/cart.ts',
    'npx prettier --write src/hooks/login.ts',
    'npx prettier --write .claude/hooks/login.ts',
  ],
  [
    'sensitive',
    'npx prettier --write docs/settings.json',
    'npx prettier --write src/settings.json',
    'npx prettier --write .claude/settings.json',
  ],
  ['sensitive', 'git add certs/README.md', 'git add certs/dev.crt', 'git add certs/server.pem'],
  ['sensitive', 'touch src/hooks/index.ts', 'touch src/hooks/commit.ts', 'touch .git/hooks/commit'],
  ['operator', 'npm test 2>&1 | tail -20', 'npm test 2>&1 | tail -50', 'npm test 2>&1 | tail -50; npm publish'],
  [
    'operator',
    'git add src/cart.ts && git commit -m "fix: a"',
    'git add src/login.ts && git commit -m "fix: b"',
    'git add src/login.ts && git commit -m "fix: b" && git push --force',
  ],
  ['operator', 'pytest -q tests | grep passed', 'pytest -q tests | grep failed', 'pytest -q tests | xargs rm'],
  [
    'operator',
    'npx tsc --noEmit && npx eslint src/cart.ts',
    'npx tsc --noEmit && npx eslint src/login.ts',
    'npx tsc --noEmit || npx eslint --fix src/login.ts',
  ],
  ['redirect', 'npm test > build/test.log', 'npm test > build/test2.log', 'npm test > build/../package.json'],
  ['redirect', 'pytest -q > build/a.txt', 'pytest -q > build/b.txt', 'pytest -q > ../b.txt', 'pytest -q > ~/.bashrc'],
  ['message', 'git commit -m "fix: totals"', 'git commit -m "fix: taxes"', 'git commit -m "fix: taxes $(./evil)"'],
  ['message', 'git commit -m "fix: totals"', 'git commit -m "fix: amend"', 'git commit -m "fix: amend" --amend'],
  [
    'message',
    "git commit -m 'docs: say what $(x) does'",
    "git commit -m 'docs: say what $(./evil) does'",
    'git commit -m "docs: say what $(./evil) does"',
  ],
  ['message', 'git commit -m wip', 'git commit -m amend', 'git commit --amend'],
  ['branch', 'git switch feature/login', 'git switch main', 'git switch -f main'],
  ['branch', 'git checkout main', 'git checkout develop', 'git checkout src'],
  ['branch', 'git checkout feature/login', 'git checkout feature/cart', 'git checkout src/cart.ts'],
  ['refspec', 'git fetch origin main', 'git fetch origin develop', 'git fetch origin develop:main'],
  [
    'refspec',
    'git push origin feature/login',
    'git push origin feature/cart',
    'git push origin main',
    'git push origin +main',
  ],
  ['subcommand', 'cargo check -p auth', 'cargo check -p cart', 'cargo publish -p cart'],
  ['subcommand', 'pnpm --filter api test', 'pnpm --filter web test', 'pnpm --filter web deploy'],
  ['subcommand', 'npx nx test api', 'npx nx test web', 'npx nx deploy web'],
  ['subcommand', 'gh pr view 12', 'gh pr view 13', 'gh pr merge 13'],
  ['package-script', 'npm run build -w api', 'npm run build -w web', 'npm run deploy -w web'],
  ['script-file', 'node --test test/cart.test.js', 'node --test test/login.test.js', 'node test/login.test.js'],
  ['expansion', 'npx eslint src/cart.ts', 'npx eslint src/login.ts', 'npx eslint src/$FILE'],
  ['expansion', 'git add src/cart.ts', 'git add src/login.ts', 'git add src/{login.ts,../.env}'],
  ['look-alike', 'npx eslint src/cart.ts', 'npx eslint src/login.ts', 'npx esl\u0456nt src/login.ts'],
  [
    'environment',
    'NODE_ENV=test npx vitest run src/cart.test.ts',
    'NODE_ENV=test npx vitest run src/login.test.ts',
    'NODE_ENV=production npx vitest run src/login.test.ts',
  ],
  ['wrapper', 'timeout 60 npm test', 'timeout 120 npm test', 'timeout 120 sh -c npm'],
  ['number', 'pytest -n 4 tests', 'pytest -n 8 tests', 'pytest -n 8 --basetemp=src tests'],
  ['spelling', 'git add "src/a b.ts"', 'git add "src/a c.ts"', 'git add "src/a" c.ts .env'],
];

/** Walks that change one word at a time until nothing of the first operand is left. */
const walks: readonly (readonly [first: string, ...steps: readonly string[]])[] = [
  [
    'npx eslint src/auth/login/form.ts',
    'npx eslint src/auth/login/page.ts',
    'npx eslint src/auth/cart/page.ts',
    'npx eslint src/shop/cart/page.ts',
    'npx eslint lib/shop/cart/page.ts',
    'npx eslint lib/shop/cart/page.tsx',
  ],
  [
    'pytest tests/api/users/test_login.py',
    'pytest tests/api/users/test_cart.py',
    'pytest tests/api/shop/test_cart.py',
    'pytest tests/web/shop/test_cart.py',
    'pytest checks/web/shop/test_cart.py',
  ],
  [
    'npx vitest run src/auth/login/form.test.ts',
    'npx vitest run src/auth/login/page.test.ts',
    'npx vitest run src/auth/cart/page.test.ts',
    'npx vitest run src/shop/cart/page.test.ts',
    'npx vitest run lib/shop/cart/page.test.ts',
  ],
  [
    'go test ./internal/auth/login/store',
    'go test ./internal/auth/login/cache',
    'go test ./internal/auth/cart/cache',
    'go test ./internal/shop/cart/cache',
    'go test ./pkg/shop/cart/cache',
  ],
  [
    'git add src/auth/login/form.ts',
    'git add src/auth/login/page.ts',
    'git add src/auth/cart/page.ts',
    'git add src/shop/cart/page.ts',
    'git add docs/shop/cart/page.md',
  ],
  [
    'git commit -m "fix: handle empty login form body"',
    'git commit -m "fix: handle empty login page body"',
    'git commit -m "fix: handle empty cart page body"',
    'git commit -m "fix: handle wrong cart page body"',
    'git commit -m "feat: show wrong cart page total"',
  ],
  [
    'cargo test auth::login::tests::form',
    'cargo test auth::login::tests::page',
    'cargo test auth::cart::tests::page',
    'cargo test shop::cart::tests::page',
  ],
  [
    'npx prettier --write src/auth/login/form.ts',
    'npx prettier --write src/auth/login/page.ts',
    'npx prettier --write src/shop/login/page.ts',
    'npx prettier --write lib/shop/cart/page.ts',
  ],
  [
    'bundle exec rspec spec/auth/login/form_spec.rb',
    'bundle exec rspec spec/auth/login/page_spec.rb',
    'bundle exec rspec spec/auth/cart/page_spec.rb',
    'bundle exec rspec spec/shop/cart/page_spec.rb',
  ],
  [
    'mypy src/auth/login/form.py',
    'mypy src/auth/login/page.py',
    'mypy src/auth/cart/page.py',
    'mypy src/shop/cart/page.py',
    'mypy lib/shop/cart/page.py',
  ],
  [
    './gradlew test --tests com.acme.auth.login.FormTest',
    './gradlew test --tests com.acme.auth.login.PageTest',
    './gradlew test --tests com.acme.auth.cart.PageTest',
    './gradlew test --tests org.acme.shop.cart.PageTest',
  ],
  [
    'mkdir -p src/auth/login/form',
    'mkdir -p src/auth/login/page',
    'mkdir -p src/auth/cart/page',
    'mkdir -p src/shop/cart/page',
  ],
];

/** Sequences that must not turn one permission into a permission for everything like it. */
export const chains = (): readonly Chain[] => [
  ...toDanger.map(([kind, first, ...steps]) => ({ kind, first, steps, last: 'never' as const })),
  ...walks.map(([first, ...steps]) => ({ kind: 'walk', first, steps, last: 'as-first-alone' as const })),
];

/** A command with `{}` for its operand, and the operand that was allowed, the neighbour's, and the one asked for. */
type Trio = readonly [template: string, first: string, neighbour: string, second: string];

const pathTrio = (root: string, suffix: string): readonly [first: string, neighbour: string, second: string] => [
  `${root}/billing/payments/fees${suffix}`,
  `${root}/billing/payments/totals${suffix}`,
  `${root}/billing/payments/taxes${suffix}`,
];

const trios: readonly Trio[] = [
  ['npx eslint {}', ...pathTrio('src', '.ts')],
  ['npx eslint --fix {}', ...pathTrio('src', '.ts')],
  ['npx prettier --write {}', ...pathTrio('src', '.ts')],
  ['npx vitest run {}', ...pathTrio('src', '.test.ts')],
  ['npx jest {}', ...pathTrio('src', '.test.js')],
  ['npm test -- {}', ...pathTrio('src', '.test.ts')],
  ['pytest {}', ...pathTrio('tests', '.py')],
  ['python -m pytest {}', ...pathTrio('tests', '.py')],
  ['uv run pytest {}', ...pathTrio('tests', '.py')],
  ['ruff check {}', ...pathTrio('src', '.py')],
  ['mypy {}', ...pathTrio('src', '.py')],
  ['black {}', ...pathTrio('src', '.py')],
  ['gofmt -w {}', ...pathTrio('internal', '.go')],
  [
    'go test -race {}',
    './internal/billing/payments/fees',
    './internal/billing/payments/totals',
    './internal/billing/payments/taxes',
  ],
  [
    'cargo test {}',
    'billing::payments::tests::fees',
    'billing::payments::tests::totals',
    'billing::payments::tests::taxes',
  ],
  ['bundle exec rspec {}', ...pathTrio('spec', '_spec.rb')],
  ['bundle exec rubocop {}', ...pathTrio('app', '.rb')],
  ['vendor/bin/phpunit {}', ...pathTrio('tests', '.php')],
  ['dotnet test {}', ...pathTrio('tests', '.csproj')],
  [
    './gradlew test --tests {}',
    'com.acme.billing.InvoiceTest',
    'com.acme.billing.PaymentTest',
    'com.acme.billing.TaxTest',
  ],
  ['git add {}', ...pathTrio('src', '.ts')],
  ['git commit -m "{}"', 'fix: hide the payment fees', 'fix: hide the payment totals', 'fix: hide the payment taxes'],
  ['mkdir -p {}', 'src/billing/payments/fees', 'src/billing/payments/totals', 'src/billing/payments/taxes'],
  ['clang-format -i {}', ...pathTrio('src', '.c')],
];

const filled = (template: string, operand: string): string => template.replace('{}', () => operand);

const scopePairs: readonly (readonly [firstScope: NeighbourScope, neighbourScope: NeighbourScope])[] = [
  ['project', 'project'],
  ['user', 'org'],
  ['project', 'user'],
  ['org', 'project'],
  ['role', 'org'],
  ['user', 'project'],
];

const generated: readonly NeighbourSet[] = trios.flatMap(([template, first, neighbour, second], turn) =>
  (['deny', 'ask'] as const).flatMap((neighbourVerdict, index) =>
    scopePairs
      .slice((turn + index) % scopePairs.length)
      .slice(0, 1)
      .map(([firstScope, neighbourScope]) => ({
        kind: `neighbour-${neighbourVerdict}`,
        first: filled(template, first),
        neighbour: filled(template, neighbour),
        neighbourVerdict,
        second: filled(template, second),
        firstScope,
        neighbourScope,
        ...(turn % 4 === 0 ? { neighbourRole: '*' } : {}),
      })),
  ),
);

const both = (first: string, neighbour: string, second: string): readonly NeighbourSet[] =>
  (['deny', 'ask'] as const).map((neighbourVerdict) => ({
    kind: `neighbour-${neighbourVerdict}`,
    first,
    neighbour,
    neighbourVerdict,
    second,
  }));

/** The neighbour has something more than the second call; it is still too near to be passed over. */
const written: readonly NeighbourSet[] = [
  ...both(
    'npx eslint src/billing/invoice.ts',
    'npx eslint --fix src/billing/taxes.ts',
    'npx eslint src/billing/taxes.ts',
  ),
  ...both(
    'pytest tests/billing/test_invoice.py',
    'pytest -x tests/billing/test_taxes.py',
    'pytest tests/billing/test_taxes.py',
  ),
  ...both('git add src/billing/invoice.ts', 'git add -f src/billing/taxes.ts', 'git add src/billing/taxes.ts'),
  ...both('npm run build -w @acme/api', 'npm run build -w @acme/web --if-present', 'npm run build -w @acme/web'),
  ...both(
    'git commit -m "fix: invoice totals"',
    'git commit --amend -m "fix: tax totals"',
    'git commit -m "fix: tax totals"',
  ),
  ...both(
    'cargo test -p billing invoice::totals',
    'cargo test -p billing taxes::totals --release',
    'cargo test -p billing taxes::totals',
  ),
  ...both(
    'go test ./internal/shop/billing/invoice',
    'go test -count=1 ./internal/shop/billing/taxes',
    'go test ./internal/shop/billing/taxes',
  ),
  ...both(
    'git push -u origin feature/login',
    'git push -u origin feature/cart --force',
    'git push -u origin feature/cart',
  ),
  ...both(
    'npx vitest run src/billing/invoice.test.ts',
    'npx vitest run src/billing/taxes.test.ts -u',
    'npx vitest run src/billing/taxes.test.ts',
  ),
];

/** Between the tools that change files an ask or a deny counts for all of them. */
const acrossTools: readonly NeighbourSet[] = (
  [
    ['Edit', '.claude/commands/review.md', 'Write', '.claude/settings.json', 'Edit', '.claude/settings.json'],
    ['Write', 'config/app.yml', 'Write', 'config/app.prod.yml', 'Edit', 'config/app.prod.yml'],
    ['Write', 'config/app.yml', 'Edit', 'config/app.prod.yml', 'MultiEdit', 'config/app.prod.yml'],
    ['Edit', 'deploy/staging.yml', 'MultiEdit', 'deploy/production.yml', 'Write', 'deploy/production.yml'],
    ['Edit', '.env.example', 'Write', '.env', 'Edit', '.env'],
    ['Write', 'notebooks/scratch.ipynb', 'NotebookEdit', 'notebooks/prod.ipynb', 'Write', 'notebooks/prod.ipynb'],
    [
      'Edit',
      '.github/workflows/lint.yml',
      'Write',
      '.github/workflows/deploy.yml',
      'Edit',
      '.github/workflows/deploy.yml',
    ],
  ] as const
).flatMap(([firstTool, first, neighbourTool, neighbour, tool, second]) =>
  (['deny', 'ask'] as const).map((neighbourVerdict) => ({
    kind: `neighbour-${neighbourVerdict}-tool`,
    firstTool,
    first,
    neighbourTool,
    neighbour,
    neighbourVerdict,
    tool,
    second,
  })),
);

/** Sets of which the second call must not be allowed without asking, however like the first it is. */
export const neighbourSets = (): readonly NeighbourSet[] => [...generated, ...written, ...acrossTools];
