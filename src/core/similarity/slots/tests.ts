import type { SlotRow } from './row.ts';

const quiet = '-q -qq --quiet -v -vv -vvv --verbose -s --silent --color --no-color --colors';

const pythonTests: Omit<SlotRow, 'programs'> = {
  flags: `${quiet} -x -l -ra -rA -rs --exitfirst --lf --ff --sw --no-header --no-summary --cov --no-cov --disable-warnings --collect-only --co --strict-markers --showlocals --full-trace`,
  values: '--tb --color --cov-report -r --durations',
  slots: '-k=expression -m=expression --maxfail=number -n=count --count=count --timeout=number --cov=path',
  operands: 'test',
};

const scriptTests: Omit<SlotRow, 'programs'> = {
  flags: `${quiet} -i -b --bail --coverage --run --runInBand --watch=false --watchAll=false --no-watch --no-coverage --coverage=false --ci --silent --verbose --expand --passWithNoTests --detectOpenHandles --forceExit --logHeapUsage --findRelatedTests --all`,
  values: '--reporter --pool --project --environment --browser',
  slots:
    '-t=message --testNamePattern=message --testPathPattern=path --testPathPatterns=path --maxWorkers=count -w=count --testTimeout=number --retry=count --bail=number -g=message --grep=message --workers=count --shard=number',
  operands: 'path',
};

const testScript =
  'test|t|run test|run tests|run test:unit|run test:e2e|run test:integration|run test:ci|run unit|run e2e';
const harmlessScript =
  'test|run test|run lint|run typecheck|run type-check|run check|run check-types|run format|run format:check|run build|test:unit|lint|typecheck|type-check|check-types|build';

const javaTests = '--info --stacktrace --offline --no-daemon --rerun-tasks --continue -q --quiet --console=plain';

/** Runs of a project's tests, and of its usual scripts in another package. Source: the programs' own manuals. */
export const testRows: readonly SlotRow[] = [
  { programs: 'pytest py.test', ...pythonTests },
  { programs: 'unittest', flags: '-v -q -f -b', operands: 'testModule' },
  {
    programs: 'python python3',
    sub: 'manage.py test',
    flags: '--keepdb --failfast',
    slots: '-v=number --parallel=count',
    operands: 'testModule',
  },
  { programs: 'jest', ...scriptTests },
  { programs: 'vitest', sub: 'run', ...scriptTests },
  { programs: 'vitest', needs: '--run', ...scriptTests },
  { programs: 'mocha ava tap', ...scriptTests, operands: 'test' },
  {
    programs: 'playwright',
    sub: 'test',
    ...scriptTests,
    operands: 'test',
    flags: `${scriptTests.flags ?? ''} --headed --list`,
    values: '--project --reporter --browser --retries',
  },
  { programs: 'cypress', sub: 'run', flags: '--headless --quiet -q', slots: '--spec=test', values: '--browser' },
  {
    programs: 'node',
    needs: '--test',
    flags: '--test --test-only',
    slots: '--test-name-pattern=message --test-concurrency=count',
    operands: 'test',
  },
  {
    programs: 'deno',
    sub: 'test',
    flags: '-q --quiet --no-run --fail-fast',
    slots: '--filter=message',
    operands: 'test',
  },
  {
    programs: 'bun',
    sub: 'test',
    flags: '--coverage --bail',
    slots: '-t=message --timeout=number --bail=number',
    operands: 'test',
  },
  {
    programs: 'go',
    sub: 'test',
    flags: '-v -race -short -cover -json -failfast -vet=off -x',
    values: '-covermode -benchtime -shuffle -timeout',
    slots: '-run=message -bench=message -skip=message -count=count -parallel=count -p=count -cpu=count',
    operands: 'package',
  },
  {
    programs: 'cargo',
    sub: 'test|t|nextest run',
    flags:
      '-- --release -r --all --workspace --lib --bins --doc --tests --all-targets --all-features --no-default-features --locked --offline --frozen --no-run --no-fail-fast -q --quiet -v --verbose --nocapture --exact --ignored --include-ignored --show-output',
    values: '--features -F --profile',
    slots: '-p=name --package=name --test=name --bin=name --example=name --test-threads=count -j=count',
    operands: 'name',
  },
  {
    programs: 'rspec',
    flags: `${quiet} --fail-fast --no-profile -c`,
    values: '-f --format --order',
    slots: '-e=message --example=message --seed=number',
    operands: 'test',
  },
  {
    programs: 'rails bin/rails ./bin/rails',
    sub: 'test',
    flags: '-v -f -b',
    slots: '-n=message --seed=number',
    operands: 'test',
  },
  {
    programs: 'flutter dart',
    sub: 'test',
    flags: '--no-pub --coverage',
    slots: '--plain-name=message -N=message -n=message --name=message',
    operands: 'test',
  },
  { programs: 'bats busted', operands: 'test' },
  { programs: 'ruby', needs: '-Itest', flags: '-Itest -Ilib', operands: 'test' },
  {
    programs: 'phpunit vendor/bin/phpunit ./vendor/bin/phpunit bin/phpunit pest vendor/bin/pest ./vendor/bin/pest',
    flags: '--stop-on-failure --testdox --no-coverage --colors --verbose -v',
    slots: '--filter=message --testsuite=name --group=name',
    operands: 'test',
  },
  {
    programs: 'php',
    sub: 'artisan test',
    flags: '--parallel --stop-on-failure',
    slots: '--filter=message --testsuite=name',
    operands: 'test',
  },
  {
    programs: 'mix',
    sub: 'test',
    flags: '--trace --stale --failed --cover',
    slots: '--seed=number --max-failures=number --only=name',
    operands: 'test',
  },
  { programs: 'swift', sub: 'test', flags: '--parallel -v', slots: '--filter=message' },
  {
    programs: 'dotnet',
    sub: 'test',
    flags: '--no-build --no-restore --nologo',
    values: '-c --configuration -v --verbosity -f --framework',
    slots: '--filter=message',
    operands: 'path',
  },
  {
    programs: 'mvn ./mvnw mvnw',
    sub: 'test|verify|clean test',
    flags: '-q -B -o -ntp --batch-mode -am -DskipITs',
    slots: '-Dtest=message -pl=name',
    values: '-DfailIfNoTests -Dsurefire.failIfNoSpecifiedTests',
  },
  { programs: 'gradle ./gradlew gradlew', sub: 'test|check', flags: javaTests, slots: '--tests=message' },
  {
    programs: 'ctest',
    flags: '--output-on-failure -V -VV --rerun-failed -Q',
    values: '--test-dir',
    slots: '-R=message -E=message -j=count --timeout=number',
  },
  { programs: 'nx', sub: 'test|lint|build|typecheck', flags: '--skip-nx-cache --verbose', operands: 'name' },
  {
    programs: 'turbo',
    sub: 'test|lint|build|typecheck|run test|run lint|run build|run typecheck',
    flags: '--force --no-cache',
    slots: '--filter=name -F=name --concurrency=count',
  },
  {
    programs: 'npm pnpm yarn bun',
    sub: testScript,
    flags: '-- -s --silent --run --coverage --watch=false --runInBand --bail -u=false',
    slots: '-t=message --testNamePattern=message --grep=message -g=message',
    operands: 'test',
  },
  {
    programs: 'npm pnpm yarn',
    sub: 'run lint|lint',
    flags: '-- -s --silent --quiet',
    slots: '--max-warnings=number',
    operands: 'path',
  },
  { programs: 'npm', sub: harmlessScript, flags: '-s --silent --if-present', slots: '-w=name --workspace=name' },
  { programs: 'pnpm', sub: harmlessScript, flags: '-s --silent --if-present', slots: '--filter=name -F=name' },
];
