import { type Pair, projectRoot } from './pair.cases.ts';

/** A command with `{}` where the operand goes, and operands of which every one is as harmless as the first. */
type Row = readonly [template: string, ...operands: readonly string[]];

const tsTests = [
  'src/auth/login.test.ts',
  'src/billing/invoice.test.ts',
  'src/api/routes/users.test.ts',
  'src/cart.test.ts',
];
const tsFiles = ['src/auth/login.ts', 'src/billing/invoice.ts', 'src/api/routes/users.ts', 'src/cart.ts'];
const pyTests = [
  'tests/test_login.py',
  'tests/api/test_users.py',
  'tests/unit/billing/test_invoice.py',
  'tests/test_cart.py',
];
const pyFiles = ['src/app/login.py', 'src/app/billing/invoice.py', 'src/app/users.py', 'app/cart.py'];
const goPackages = ['./internal/auth', './internal/billing', './pkg/users', './internal/auth/...'];
const goFiles = ['internal/auth/login.go', 'internal/billing/invoice.go', 'pkg/users/store.go'];
const rustCrates = ['auth', 'billing', 'users-store', 'cart_core'];
const rubySpecs = ['spec/models/user_spec.rb', 'spec/requests/invoices_spec.rb', 'spec/services/cart_spec.rb'];
const rubyFiles = ['app/models/user.rb', 'app/services/invoice.rb', 'lib/cart.rb'];
const javaTests = ['LoginTest', 'InvoiceServiceTest', 'CartTest'];
const phpTests = ['tests/LoginTest.php', 'tests/Unit/InvoiceTest.php', 'tests/Feature/CartTest.php'];
const phpFiles = ['src/Login.php', 'src/Billing/Invoice.php', 'app/Models/Cart.php'];
const csharpProjects = ['src/Auth/Auth.csproj', 'src/Billing/Billing.csproj', 'src/Cart/Cart.csproj'];
const cFiles = ['src/login.c', 'src/billing/invoice.c', 'lib/cart.c'];

const testFiles: readonly Row[] = [
  ['npx vitest run {}', ...tsTests, 'src/auth'],
  ['vitest run {}', ...tsTests],
  ['npx vitest run {} --reporter=verbose', ...tsTests],
  ['pnpm vitest run {}', ...tsTests],
  ['pnpm exec vitest run {}', ...tsTests.slice(0, 3)],
  ['yarn vitest run {}', ...tsTests.slice(0, 3)],
  ['npx jest {}', ...tsTests, 'src/billing'],
  ['jest {}', ...tsTests.slice(0, 3)],
  ['npx jest {} --coverage=false', ...tsTests.slice(0, 3)],
  ['yarn jest {}', ...tsTests.slice(0, 3)],
  ['npm test -- {}', ...tsTests, 'src/api'],
  ['npm run test -- {}', ...tsTests],
  ['npm run test:unit -- {}', ...tsTests.slice(0, 3)],
  ['pnpm test {}', ...tsTests.slice(0, 3)],
  ['yarn test {}', ...tsTests.slice(0, 3)],
  ['bun test {}', ...tsTests],
  ['npx mocha {}', 'test/login.js', 'test/users.js', 'test/billing/invoice.js'],
  ['npx ava {}', 'test/login.js', 'test/users.js'],
  ['npx tap {}', 'test/login.js', 'test/users.js'],
  ['node --test {}', 'test/login.test.js', 'test/users.test.js', 'test/billing/invoice.test.js'],
  ['deno test {}', 'src/login_test.ts', 'src/users_test.ts', 'src/billing/invoice_test.ts'],
  ['npx playwright test {}', 'e2e/login.spec.ts', 'e2e/users.spec.ts', 'e2e/checkout/cart.spec.ts'],
  ['npx cypress run --spec {}', 'cypress/e2e/login.cy.ts', 'cypress/e2e/cart.cy.ts'],
  ['npx ng test --include={}', 'src/app/login.spec.ts', 'src/app/cart.spec.ts'],
  ['pytest {}', ...pyTests, 'tests/api'],
  ['pytest -q {}', ...pyTests],
  ['pytest -xvs {}', ...pyTests],
  ['pytest --cov {}', 'tests/auth/', 'tests/api/', 'tests/unit/'],
  ['python -m pytest {}', ...pyTests, 'tests/unit/'],
  ['python -m pytest {} -v --tb=short', ...pyTests],
  ['python3 -m pytest {} -x', ...pyTests.slice(0, 3)],
  ['uv run pytest {}', ...pyTests, 'tests/unit'],
  ['uv run pytest {} -v', ...pyTests.slice(0, 3)],
  ['poetry run pytest {}', ...pyTests],
  ['pdm run pytest {}', ...pyTests.slice(0, 2)],
  ['hatch run pytest {}', ...pyTests.slice(0, 2)],
  ['tox -e py312 -- {}', ...pyTests.slice(0, 3)],
  ['python manage.py test {}', 'accounts', 'billing', 'accounts.tests.test_login'],
  ['python -m unittest {}', 'tests.test_login', 'tests.test_users', 'tests.api.test_users.UserTest'],
  ['.venv/bin/pytest {}', ...pyTests.slice(0, 3)],
  ['go test {}', ...goPackages, './...'],
  ['go test -v {}', ...goPackages],
  ['go test -race {}', ...goPackages],
  ['go test -count=1 {}', ...goPackages.slice(0, 3)],
  ['gotestsum -- {}', ...goPackages.slice(0, 2)],
  ['ginkgo {}', './internal/auth', './internal/billing'],
  ['cargo test -p {}', ...rustCrates],
  ['cargo test --package {}', ...rustCrates.slice(0, 3)],
  ['cargo test --test {}', 'login', 'invoices', 'cart_flow'],
  ['cargo nextest run -p {}', ...rustCrates.slice(0, 3)],
  ['cargo bench -p {}', ...rustCrates.slice(0, 2)],
  ['bundle exec rspec {}', ...rubySpecs, 'spec/models'],
  ['rspec {}', ...rubySpecs],
  ['bundle exec rspec {} --format documentation', ...rubySpecs],
  [
    'bin/rails test {}',
    'test/models/user_test.rb',
    'test/models/cart_test.rb',
    'test/controllers/users_controller_test.rb',
  ],
  ['rails test {}', 'test/models/user_test.rb', 'test/models/cart_test.rb'],
  ['bundle exec cucumber {}', 'features/login.feature', 'features/cart.feature'],
  ['vendor/bin/phpunit {}', ...phpTests],
  ['./vendor/bin/phpunit {}', ...phpTests],
  ['vendor/bin/pest {}', ...phpTests],
  ['php artisan test {}', ...phpTests],
  ['dotnet test {}', 'tests/Auth.Tests', 'tests/Billing.Tests', 'tests/Cart.Tests/Cart.Tests.csproj'],
  ['dotnet test {} --no-build', 'tests/Auth.Tests', 'tests/Billing.Tests'],
  ['mix test {}', 'test/login_test.exs', 'test/users_test.exs', 'test/billing/invoice_test.exs'],
  ['flutter test {}', 'test/login_test.dart', 'test/cart_test.dart'],
  ['dart test {}', 'test/login_test.dart', 'test/cart_test.dart'],
  ['zig test {}', 'src/login.zig', 'src/cart.zig'],
  ['busted {}', 'spec/login_spec.lua', 'spec/cart_spec.lua'],
  ['bats {}', 'test/login.bats', 'test/cart.bats'],
  ['bazel test {}', '//auth:all', '//billing:all', '//users/store:store_test'],
  ['ctest --test-dir build -R {}', 'login', 'invoice', 'cart'],
  ['raco test {}', 'src/login.rkt', 'src/cart.rkt'],
];

const testNames: readonly Row[] = [
  ['npx vitest run -t "{}"', 'logs in', 'rejects a wrong password', 'adds to the cart'],
  ['npx vitest run src/cart.test.ts -t "{}"', 'adds an item', 'removes an item', 'is empty at first'],
  ['npx jest -t "{}"', 'logs in', 'rejects a wrong password', 'adds to the cart'],
  ['npx jest src/cart.test.ts --testNamePattern="{}"', 'adds an item', 'removes an item'],
  ['npx playwright test -g "{}"', 'logs in', 'checks out'],
  ['npx mocha --grep "{}"', 'logs in', 'checks out'],
  ['bun test -t "{}"', 'logs in', 'checks out'],
  ['pytest -k {}', 'login', 'invoice', 'cart'],
  ['pytest -k "{}"', 'login and not slow', 'invoice or cart', 'not network'],
  ['pytest tests/test_login.py::{}', 'test_ok', 'test_wrong_password', 'TestLogin::test_ok', 'TestLogin::test_locked'],
  ['pytest tests/ -k {} -v', 'login', 'invoice', 'cart'],
  ['python -m pytest tests/test_login.py::{} -xvs', 'test_ok', 'test_wrong_password'],
  ['uv run pytest tests/test_login.py::{}', 'test_ok', 'test_wrong_password', 'test_locked'],
  ['pytest -m {}', 'unit', 'smoke', 'fast'],
  ['go test -run {} ./internal/auth', 'TestLogin', 'TestLogout', 'TestLoginLocked', 'TestLogin/wrong_password'],
  ['go test -run {} ./...', 'TestLogin', 'TestInvoice', 'TestCart'],
  ['go test -v -run {} ./internal/billing', 'TestInvoice', 'TestTotals'],
  ['go test -bench {} ./internal/cart', 'BenchmarkAdd', 'BenchmarkTotal'],
  ['cargo test {}', 'login', 'invoice::totals', 'cart::tests::adds_item', 'parses_empty_input'],
  ['cargo test -p auth {}', 'login', 'logout', 'tests::locked'],
  ['cargo nextest run {}', 'login', 'invoice'],
  ['bundle exec rspec -e "{}"', 'logs in', 'adds to the cart'],
  ['bundle exec rspec spec/models/user_spec.rb:{}', '12', '48', '103'],
  ['bin/rails test test/models/user_test.rb -n {}', 'test_login', 'test_locked'],
  ['mvn test -Dtest={}', ...javaTests, 'LoginTest#locksAfterThree'],
  ['mvn -q test -Dtest={}', ...javaTests],
  ['./mvnw test -Dtest={}', ...javaTests],
  ['./gradlew test --tests {}', ...javaTests, 'com.acme.auth.LoginTest'],
  ['./gradlew :api:test --tests {}', ...javaTests],
  ['gradle test --tests {}', ...javaTests],
  ['sbt "testOnly {}"', 'com.acme.LoginSpec', 'com.acme.CartSpec'],
  ['dotnet test --filter {}', 'FullyQualifiedName~Login', 'FullyQualifiedName~Invoice', 'Name=AddsItem'],
  ['dotnet test --filter "{}"', 'Category=Unit', 'Category=Smoke'],
  ['vendor/bin/phpunit --filter {}', 'testLogin', 'testInvoice', 'testCart'],
  ['php artisan test --filter={}', 'LoginTest', 'CartTest'],
  ['mix test test/login_test.exs:{}', '12', '40'],
  ['swift test --filter {}', 'LoginTests', 'CartTests', 'CartTests/testAdds'],
  ['flutter test --plain-name "{}"', 'logs in', 'adds to the cart'],
  ['xcodebuild test -scheme App -only-testing:{}', 'AppTests/LoginTests', 'AppTests/CartTests'],
  ['deno test --filter "{}"', 'logs in', 'adds to the cart'],
  ['node --test --test-name-pattern="{}"', 'logs in', 'adds to the cart'],
];

const sourceFiles: readonly Row[] = [
  ['npx eslint {}', ...tsFiles, 'src/auth'],
  ['eslint {}', ...tsFiles],
  ['npx eslint --fix {}', ...tsFiles],
  ['pnpm eslint {}', ...tsFiles.slice(0, 3)],
  ['pnpm exec eslint {}', ...tsFiles.slice(0, 3)],
  ['yarn eslint {}', ...tsFiles.slice(0, 3)],
  ['npm run lint -- {}', ...tsFiles.slice(0, 3)],
  ['node_modules/.bin/eslint {}', ...tsFiles.slice(0, 3)],
  ['npx prettier --write {}', ...tsFiles, 'src/auth'],
  ['npx prettier --check {}', ...tsFiles],
  ['prettier --write {}', ...tsFiles.slice(0, 3)],
  ['pnpm prettier --write {}', ...tsFiles.slice(0, 3)],
  ['npx biome check {}', ...tsFiles],
  ['npx biome check --write {}', ...tsFiles],
  ['npx oxlint {}', ...tsFiles.slice(0, 3)],
  ['npx stylelint {}', 'src/app.css', 'src/cart/cart.css', 'src/theme.scss'],
  ['npx tsc --noEmit {}', ...tsFiles.slice(0, 2)],
  ['npx dprint fmt {}', ...tsFiles.slice(0, 2)],
  ['deno fmt {}', ...tsFiles.slice(0, 2)],
  ['npx svelte-check --workspace {}', 'apps/web', 'apps/admin'],
  ['ruff check {}', ...pyFiles, 'src/app'],
  ['ruff check --fix {}', ...pyFiles],
  ['ruff format {}', ...pyFiles],
  ['uv run ruff check {}', ...pyFiles],
  ['uv run ruff format {}', ...pyFiles.slice(0, 3)],
  ['mypy {}', ...pyFiles, 'src/app'],
  ['uv run mypy {}', ...pyFiles.slice(0, 3)],
  ['poetry run mypy {}', ...pyFiles.slice(0, 2)],
  ['python -m mypy {}', ...pyFiles.slice(0, 2)],
  ['black {}', ...pyFiles],
  ['black --check {}', ...pyFiles.slice(0, 3)],
  ['isort {}', ...pyFiles.slice(0, 3)],
  ['flake8 {}', ...pyFiles.slice(0, 3)],
  ['pylint {}', ...pyFiles.slice(0, 3)],
  ['pyright {}', ...pyFiles.slice(0, 3)],
  ['npx pyright {}', ...pyFiles.slice(0, 2)],
  ['bandit -r {}', 'src/app', 'src/app/billing'],
  ['autopep8 --in-place {}', ...pyFiles.slice(0, 2)],
  ['pre-commit run --files {}', ...pyFiles.slice(0, 3)],
  ['gofmt -w {}', ...goFiles],
  ['gofmt -l {}', ...goFiles],
  ['goimports -w {}', ...goFiles],
  ['go vet {}', ...goPackages],
  ['go build {}', ...goPackages.slice(0, 3)],
  ['golangci-lint run {}', ...goPackages],
  ['staticcheck {}', ...goPackages.slice(0, 2)],
  ['rustfmt {}', 'src/login.rs', 'src/billing/invoice.rs', 'src/cart.rs'],
  ['bundle exec rubocop {}', ...rubyFiles],
  ['rubocop -a {}', ...rubyFiles],
  ['bundle exec standardrb {}', ...rubyFiles.slice(0, 2)],
  ['bundle exec erb_lint {}', 'app/views/users/show.html.erb', 'app/views/carts/show.html.erb'],
  ['vendor/bin/phpstan analyse {}', ...phpFiles, 'src'],
  ['vendor/bin/php-cs-fixer fix {}', ...phpFiles],
  ['vendor/bin/pint {}', ...phpFiles.slice(0, 2)],
  ['vendor/bin/psalm {}', ...phpFiles.slice(0, 2)],
  ['vendor/bin/phpcs {}', ...phpFiles.slice(0, 2)],
  ['dotnet build {}', ...csharpProjects],
  ['dotnet format {}', ...csharpProjects],
  ['ktlint {}', 'src/main/kotlin/Login.kt', 'src/main/kotlin/Cart.kt'],
  ['google-java-format -i {}', 'src/main/java/Login.java', 'src/main/java/Cart.java'],
  ['clang-format -i {}', ...cFiles],
  ['clang-tidy {}', ...cFiles],
  ['cppcheck {}', ...cFiles.slice(0, 2)],
  ['gcc -fsyntax-only {}', ...cFiles],
  ['g++ -std=c++20 -fsyntax-only {}', 'src/login.cpp', 'src/cart.cpp'],
  ['swiftlint lint {}', 'Sources/Login.swift', 'Sources/Cart.swift'],
  ['dart format {}', 'lib/login.dart', 'lib/cart.dart'],
  ['dart analyze {}', 'lib/login.dart', 'lib/cart.dart'],
  ['mix format {}', 'lib/login.ex', 'lib/cart.ex'],
  ['shellcheck {}', 'scripts/build.sh', 'scripts/report.sh'],
  ['shfmt -w {}', 'scripts/build.sh', 'scripts/report.sh'],
  ['yamllint {}', 'docs/openapi.yml', 'docs/events.yml'],
  ['npx markdownlint {}', 'docs/intro.md', 'docs/usage.md'],
  ['hadolint {}', 'Dockerfile', 'docker/test.Dockerfile'],
  ['sqlfluff lint {}', 'db/users.sql', 'db/carts.sql'],
  ['buf lint {}', 'proto/auth', 'proto/cart'],
  ['stylua {}', 'src/login.lua', 'src/cart.lua'],
  ['zig fmt {}', 'src/login.zig', 'src/cart.zig'],
  ['vale {}', 'docs/intro.md', 'docs/usage.md'],
  ['ormolu --mode inplace {}', 'src/Login.hs', 'src/Cart.hs'],
  ['npx tsc -p {} --noEmit', 'packages/api', 'packages/web', 'packages/shared/tsconfig.json'],
  ['npx vue-tsc --noEmit -p {}', 'apps/web', 'apps/admin'],
];

const packageNames: readonly Row[] = [
  ['pnpm --filter {} test', '@acme/api', '@acme/web', '@acme/shared'],
  ['pnpm --filter {} build', '@acme/api', '@acme/web', '@acme/shared'],
  ['pnpm --filter {} lint', 'api', 'web'],
  ['pnpm --filter={} typecheck', 'api', 'web'],
  ['pnpm -F {} test', 'api', 'web'],
  ['yarn workspace {} test', '@acme/api', '@acme/web'],
  ['yarn workspace {} build', 'api', 'web'],
  ['npm test --workspace {}', 'packages/api', 'packages/web'],
  ['npm run build -w {}', '@acme/api', '@acme/web', '@acme/shared'],
  ['npm run lint --workspace={}', '@acme/api', '@acme/web'],
  ['npx turbo run test --filter={}', 'api', 'web', '@acme/shared'],
  ['npx turbo run build --filter={}', 'api', 'web'],
  ['npx nx test {}', 'api', 'web', 'shared-utils'],
  ['npx nx lint {}', 'api', 'web'],
  ['npx nx build {}', 'api', 'web'],
  ['npx lerna run test --scope={}', '@acme/api', '@acme/web'],
  ['cargo check -p {}', ...rustCrates],
  ['cargo clippy -p {}', ...rustCrates],
  ['cargo build -p {}', ...rustCrates.slice(0, 3)],
  ['cargo clippy -p {} --all-targets -- -D warnings', ...rustCrates.slice(0, 3)],
  ['cargo fmt -p {}', ...rustCrates.slice(0, 3)],
  ['cargo doc -p {} --no-deps', ...rustCrates.slice(0, 2)],
  ['mvn -pl {} test', 'api', 'web', 'shared'],
  ['mvn -q -pl {} compile', 'api', 'web'],
  ['./gradlew :{}:test', 'api', 'web', 'shared'],
  ['./gradlew :{}:compileJava', 'api', 'web'],
  ['bazel build {}', '//auth:all', '//billing:all'],
  ['sbt {}/test', 'api', 'web'],
  ['mix cmd --app {} mix test', 'api', 'web'],
  ['melos exec --scope={} -- dart analyze', 'api', 'web'],
  ['rush test --only {}', '@acme/api', '@acme/web'],
  ['uv run --package {} pytest', 'api', 'web'],
];

const staged: readonly Row[] = [
  ['git add {}', ...tsFiles, 'src/auth', 'README.md', 'docs/usage.md', 'tests/test_login.py'],
  ['git add {} src/shared/types.ts', ...tsFiles],
  ['git add src/auth/login.ts {}', 'src/auth/login.test.ts', 'src/auth/session.ts', 'docs/auth.md'],
  ['git add -- {}', ...tsFiles.slice(0, 3)],
  ['git add -N {}', ...tsFiles.slice(0, 2)],
  ['git add -p {}', ...tsFiles.slice(0, 2)],
  ['git restore --staged {}', ...tsFiles.slice(0, 3)],
  ['git stash push -m "{}"', 'wip login', 'wip cart', 'before the rebase'],
];

const messages: readonly Row[] = [
  [
    'git commit -m "{}"',
    'fix: handle empty input',
    'feat: add login',
    'docs: explain the cart',
    'refactor(api): split users route',
    'test: cover invoices (#42)',
    'chore: bump version to 1.2.3',
    'fix(auth): lock after 3 tries; log the reason',
    'style: run prettier over src/',
    'perf: cache totals & taxes',
    "revert: 'feat: add login' for now",
  ],
  [
    "git commit -m '{}'",
    'fix: handle empty input',
    'feat: add login',
    'fix: escape $HOME and `ticks` in the docs',
    'docs: say what rm -rf does',
    'feat!: drop node 18',
  ],
  ['git commit -m {}', 'wip', 'typo', 'cleanup', 'tests'],
  ['git commit -am "{}"', 'fix: typo', 'feat: totals', 'test: totals'],
  [
    'git commit -m "feat: add login" -m "{}"',
    'It uses the session store.',
    'It does not remember the person yet.',
    'Closes #12',
  ],
  ['git commit --message="{}"', 'fix: handle empty input', 'feat: add login'],
  ['git commit -s -m "{}"', 'fix: handle empty input', 'feat: add login'],
  ['git commit --allow-empty -m "{}"', 'trigger checks', 'start the branch'],
  ['git commit src/auth/login.ts -m "{}"', 'fix: handle empty input', 'feat: add login'],
];

const heredocMessages: readonly Row[] = [
  [
    'git commit -m "$(cat <<\'EOF\'\n{}\nEOF\n)"',
    'fix: handle empty input\n\nThe form sent an empty body.',
    'feat: add login',
    'docs: explain the cart\n\nWith two examples.',
    'test: cover invoices',
    'refactor: split the users route\n\nNothing else changes.',
    'feat(cart): totals\n\nCo-authored-by: A Person <a.person@example.com>',
  ],
  ["git commit -F - <<'EOF'\n{}\nEOF", 'fix: handle empty input', 'feat: add login\n\nIt uses the session store.'],
];

const branches: readonly Row[] = [
  ['git switch {}', 'feature/login', 'feature/cart', 'main', 'fix/123-empty-input', 'release-notes'],
  ['git checkout {}', 'main', 'develop'],
  ['git fetch origin {}', 'main', 'develop', 'feature/login'],
  ['git worktree add .worktrees/one {}', 'feature/login', 'feature/cart'],
];

const counts: readonly Row[] = [
  ['pytest --maxfail={}', '1', '3', '10'],
  ['pytest -n {} tests', '4', '8', '2'],
  ['pytest -q tests 2>&1 | tail -{}', '20', '5', '50', '100'],
  ['pytest tests --durations={}', '10', '20'],
  ['npx jest --maxWorkers={}', '2', '4'],
  ['npx playwright test --workers={}', '1', '4'],
  ['npx playwright test --retries={}', '0', '2'],
  ['npm test 2>&1 | tail -{}', '20', '50', '5', '100'],
  ['npm test 2>&1 | head -n {}', '50', '100'],
  ['npm run build 2>&1 | tail -n {}', '10', '30', '60'],
  ['npx tsc --noEmit 2>&1 | head -{}', '20', '40', '80'],
  ['npx vitest run 2>&1 | tail -{}', '20', '40'],
  ['npx eslint src 2>&1 | tail -{}', '10', '30'],
  ['go test ./... 2>&1 | tail -{}', '20', '60'],
  ['go test -count={} ./internal/auth', '1', '5'],
  ['go test -parallel {} ./...', '4', '8'],
  ['go test -timeout {} ./...', '30s', '60s', '2m'],
  ['cargo test 2>&1 | tail -{}', '20', '40'],
  ['cargo build 2>&1 | head -{}', '30', '60'],
  ['cargo test -j {}', '4', '8'],
  ['make -j{} test', '4', '8', '2'],
  ['make test 2>&1 | tail -{}', '20', '40'],
  ['cmake --build build --parallel {}', '4', '8'],
  ['ninja -C build -j {}', '4', '8'],
  ['ctest --test-dir build -j {}', '4', '8'],
  ['bundle exec rspec --fail-fast={}', '1', '3'],
  ['bundle exec rspec --seed {}', '1234', '42'],
  ['./gradlew test --max-workers={}', '2', '4'],
  ['mvn -T {} test', '2', '4'],
  ['dotnet test 2>&1 | tail -{}', '20', '40'],
  ['timeout {} npm test', '60', '120', '300'],
  ['timeout {} pytest tests', '60', '300'],
  ['mypy src 2>&1 | tail -{}', '10', '30'],
  ['ruff check src | head -{}', '10', '30'],
];

const made: readonly Row[] = [
  ['mkdir -p {}', 'src/auth', 'src/billing/invoices', 'src/components/cart', 'src/assets/images'],
  ['mkdir {}', 'src/auth', 'src/billing', 'src/cart'],
  ['touch {}', 'src/auth/index.ts', 'src/billing/index.ts', 'src/cart/types.ts'],
  ['mkdir -p src/auth {}', 'src/billing', 'src/cart'],
  ['touch src/auth/__init__.py {}', 'src/billing/__init__.py', 'src/cart/__init__.py'],
];

const compounds: readonly Row[] = [
  ['npx tsc --noEmit && npx eslint {}', ...tsFiles.slice(0, 3)],
  ['npx eslint {} && npx vitest run', ...tsFiles.slice(0, 3)],
  ['npm run build && npm test -- {}', ...tsTests.slice(0, 3)],
  ['cd packages/api && npx vitest run {}', ...tsTests.slice(0, 3)],
  ['cd packages/api && npx tsc --noEmit && npx eslint {}', ...tsFiles.slice(0, 2)],
  ['ruff check {} && mypy src', ...pyFiles.slice(0, 3)],
  ['black src && pytest {}', ...pyTests.slice(0, 3)],
  ['source .venv/bin/activate && pytest {}', ...pyTests.slice(0, 3)],
  ['go vet ./... && go test {}', ...goPackages.slice(0, 3)],
  ['gofmt -l . && go test {}', ...goPackages.slice(0, 2)],
  ['cargo fmt --check && cargo test -p {}', ...rustCrates.slice(0, 3)],
  ['cargo build && cargo test {}', 'login', 'invoice', 'cart'],
  ['bundle exec rubocop && bundle exec rspec {}', ...rubySpecs.slice(0, 2)],
  ['git add {} && git commit -m "fix: handle empty input"', ...tsFiles],
  ['git add src/cart.ts && git commit -m "{}"', 'fix: totals', 'feat: taxes', 'test: totals'],
  ['git add -u && git commit -m "{}"', 'fix: totals', 'feat: taxes'],
  ['git add {} && git status --short', ...tsFiles.slice(0, 2)],
  ['npx prettier --write {} && git add src', ...tsFiles.slice(0, 2)],
  ['npx vitest run {} | grep -c ok', ...tsTests.slice(0, 2)],
  ['pytest {} | grep -E "passed|failed"', ...pyTests.slice(0, 3)],
  ['npx vitest run {} 2>&1 | grep -A5 FAIL', ...tsTests.slice(0, 3)],
  ['go test {} 2>&1 | grep -v "no test files"', ...goPackages.slice(0, 2)],
  ['npx vitest run {} > build/test.log 2>&1', ...tsTests.slice(0, 2)],
  ['NODE_ENV=test npx vitest run {}', ...tsTests.slice(0, 3)],
  ['CI=1 npx playwright test {}', 'e2e/login.spec.ts', 'e2e/cart.spec.ts'],
  ['RUST_BACKTRACE=1 cargo test {}', 'login', 'invoice'],
  ['PYTHONDONTWRITEBYTECODE=1 pytest {}', ...pyTests.slice(0, 2)],
];

const highRiskFamilies: readonly Row[] = [
  ['kubectl logs {} -n dev', 'deploy/api', 'deploy/web'],
  ['kubectl describe pod {} -n dev', 'api-1', 'web-1'],
  ['aws s3 ls s3://dev-assets/{}/', 'images', 'fonts'],
  ['curl -s http://localhost:3000/{}', 'health', 'api/users', 'api/carts'],
  ['terraform fmt {}', 'modules/api', 'modules/web'],
];

const fromForge: readonly Row[] = [
  ['gh pr view {}', '12', '13', '240'],
  ['gh pr diff {}', '12', '13'],
  ['gh pr checks {}', '12', '13'],
  ['gh issue view {}', '7', '8'],
  ['gh run view {} --log-failed', '12345', '67890'],
  ['gh pr view {} --comments', '12', '13'],
  ['gh issue list --label {}', 'bug', 'feature'],
  ['glab mr view {}', '12', '13'],
];

const tables: Readonly<Record<string, readonly Row[]>> = {
  'test-file': testFiles,
  'test-name': testNames,
  'source-file': sourceFiles,
  package: packageNames,
  stage: staged,
  message: messages,
  'message-heredoc': heredocMessages,
  branch: branches,
  number: counts,
  'directory-made': made,
  compound: compounds,
  forge: fromForge,
  'high-risk-family': highRiskFamilies,
};

const filled = (template: string, operand: string): string => template.replace('{}', () => operand);

/** Every other operand after the first, and in the longer rows the way back as well. */
const rowPairs = (kind: string, [template, allowed = '', ...others]: Row): readonly Pair[] => {
  const there = others.map((other) => [allowed, other] as const);
  const back = others.length > 2 ? others.slice(-1).map((other) => [other, allowed] as const) : [];
  return [...there, ...back].map(([from, to]) => ({
    kind,
    first: filled(template, from),
    second: filled(template, to),
  }));
};

/** Runs an agent repeats in other words; each is told apart from the one before by nothing that matters. */
const runs = [
  'npx vitest run src/auth/login.test.ts',
  'npx tsc --noEmit',
  'npm run build',
  'npx eslint src/auth',
  'pytest tests/test_login.py',
  'uv run pytest tests/api',
  'ruff check src/app',
  'go test ./internal/auth',
  'go build ./...',
  'cargo test --package auth',
  'cargo clippy --all-targets',
  'bundle exec rspec spec/models/user_spec.rb',
  'vendor/bin/phpunit tests/LoginTest.php',
  'dotnet test tests/Auth.Tests',
  './gradlew test',
  'mvn -q test',
  'make test',
  'git add src/auth/login.ts',
  'git commit -m "fix: handle empty input"',
  'npx prettier --check src/auth',
];

const testRuns = runs.filter((run) => !run.startsWith('git '));

/** The space after the program; the ones inside quotes are text. */
const spread = (run: string): string => run.replace(' ', '  ');

const quoted = (run: string): string => run.replace(/ ([\w./-]+)$/, ' "$1"');

const spellings: readonly Pair[] = [
  ...runs.flatMap((run) => [
    { kind: 'spacing', first: run, second: spread(run) },
    { kind: 'spacing', first: spread(run), second: `${run} ` },
  ]),
  ...runs
    .filter((run) => quoted(run) !== run)
    .flatMap((run) => [
      { kind: 'quoting', first: run, second: quoted(run) },
      { kind: 'quoting', first: run, second: quoted(run).replaceAll('"', "'") },
    ]),
  { kind: 'quoting', first: 'git commit -m "fix: typo"', second: "git commit -m 'fix: typo'" },
  { kind: 'quoting', first: "git commit -m 'feat: login'", second: 'git commit -m "feat: login"' },
  { kind: 'quoting', first: 'pytest -k login', second: "pytest -k 'login'" },
  { kind: 'quoting', first: 'npx vitest run -t "logs in"', second: "npx vitest run -t 'logs in'" },
];

const shortened: readonly Pair[] = testRuns.flatMap((run, turn) => [
  { kind: 'tail', first: run, second: `${run} 2>&1 | tail -${[20, 30, 50][turn % 3]}` },
  { kind: 'cd-root', first: run, second: `cd ${projectRoot} && ${run}` },
  ...(turn % 2 === 0
    ? [{ kind: 'tail', first: `${run} 2>&1 | tail -20`, second: run }]
    : [{ kind: 'tail', first: run, second: `${run} 2>&1 | head -40` }]),
  ...(turn % 4 === 0 ? [{ kind: 'cd-root', first: run, second: `cd ${projectRoot} && ${run} 2>&1 | tail -20` }] : []),
]);

const severalFiles: readonly Pair[] = (
  [
    ['npx eslint src/auth/login.ts', 'npx eslint src/auth/login.ts src/cart.ts'],
    ['npx prettier --write src/auth/login.ts', 'npx prettier --write src/auth/login.ts src/cart.ts src/users.ts'],
    ['git add src/auth/login.ts', 'git add src/auth/login.ts src/auth/login.test.ts'],
    ['git add src/auth/login.ts src/cart.ts', 'git add src/users.ts'],
    ['git add src/auth/login.ts src/cart.ts', 'git add src/users.ts src/cart.ts docs/usage.md'],
    ['pytest tests/test_login.py', 'pytest tests/test_login.py tests/test_cart.py'],
    ['pytest tests/test_login.py tests/test_cart.py', 'pytest tests/api/test_users.py'],
    ['npx vitest run src/cart.test.ts', 'npx vitest run src/cart.test.ts src/auth/login.test.ts'],
    ['npx jest src/cart.test.ts src/auth', 'npx jest src/billing'],
    ['go test ./internal/auth', 'go test ./internal/auth ./internal/billing'],
    ['go vet ./internal/auth ./internal/billing', 'go vet ./pkg/users'],
    ['ruff check src/app/login.py', 'ruff check src/app/login.py src/app/users.py'],
    ['black src/app/login.py', 'black src/app/login.py app/cart.py'],
    ['mypy src/app/login.py src/app/users.py', 'mypy src/app/billing'],
    [
      'bundle exec rspec spec/models/user_spec.rb',
      'bundle exec rspec spec/models/user_spec.rb spec/services/cart_spec.rb',
    ],
    ['bundle exec rubocop app/models/user.rb', 'bundle exec rubocop app/models/user.rb lib/cart.rb'],
    ['cargo test -p auth', 'cargo test -p auth -p billing'],
    ['vendor/bin/phpstan analyse src/Login.php', 'vendor/bin/phpstan analyse src/Login.php src/Billing'],
    ['mkdir -p src/auth', 'mkdir -p src/auth src/billing'],
    ['touch src/auth/index.ts', 'touch src/auth/index.ts src/auth/types.ts'],
    ['clang-format -i src/login.c', 'clang-format -i src/login.c lib/cart.c'],
    ['gofmt -w internal/auth/login.go', 'gofmt -w internal/auth/login.go pkg/users/store.go'],
    ['rustfmt src/login.rs', 'rustfmt src/login.rs src/cart.rs'],
  ] as const
).map(([first, second]) => ({ kind: 'several-files', first, second }));

/** The same work in one part of the project, allowed and called there. */
const inPackage: readonly Pair[] = (
  [
    ['npx vitest run src/users.test.ts', 'npx vitest run src/carts.test.ts'],
    ['npx eslint src/users.ts', 'npx eslint src/carts.ts'],
    ['pytest tests/test_users.py', 'pytest tests/test_carts.py'],
    ['go test ./users', 'go test ./carts'],
    ['cargo test users', 'cargo test carts'],
    ['git add src/users.ts', 'git add src/carts.ts'],
  ] as const
).map(([first, second]) => ({
  kind: 'in-package',
  first,
  second,
  firstCwd: `${projectRoot}/packages/api`,
  cwd: `${projectRoot}/packages/api`,
}));

/**
 * Pairs of which the second is the same work on other data: somebody who allowed the first would be annoyed to be
 * asked again, and nothing that could do harm is different.
 */
export const benignPairs = (): readonly Pair[] => [
  ...Object.entries(tables).flatMap(([kind, rows]) => rows.flatMap((row) => rowPairs(kind, row))),
  ...spellings,
  ...shortened,
  ...severalFiles,
  ...inPackage,
];
