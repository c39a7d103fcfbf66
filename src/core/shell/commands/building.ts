import { has } from '../arguments.ts';
import type { ShellEffect } from '../model.ts';
import { type Row, rows, suite } from '../rows.ts';
import { hidden, type Program, program, type Tools, textsOf, uncovered } from '../tools.ts';

const runs = (what: string): ShellEffect => ({ kind: 'run', program: what });

const publishes = (what: string): ShellEffect => ({ kind: 'publish', what, risk: 'publish' });

// The short forms that mean the version; elsewhere `-v` is for more words.
const versionWords: Readonly<Record<string, RegExp>> = {
  '-version': /^(?:java|javac|kotlinc|scalac|groovyc|ant|xcodebuild)$/,
  '-v': /^(?:mvn|mvnw|gradle|gradlew|tsc|gcc|g\+\+|clang|make|gmake|eslint|webpack|vite|dart)$/,
  '-V': /^(?:pytest|mypy|rustc|black|ruff|clang|make|cmake)$/,
  version: /^(?:dart|zig|crystal|odin|golangci-lint|buf|nx|bazel|xcodebuild)$/,
};

const asksVersion = (tools: Tools): boolean => {
  const [only, ...more] = textsOf(tools.call.words.slice(1));
  return only !== undefined && more.length === 0 && versionWords[only]?.test(tools.program) === true;
};

/** Tools that run project code or its configuration: understood, but never only looking. */
const projectTools = (names: string, options = ''): Row => ({
  names,
  operands: 'text*',
  lenient: true,
  options,
  also: (given, tools) =>
    (given.operands.length === 0 && has(given, '--version', '--help')) || asksVersion(tools)
      ? []
      : [
          {
            kind: 'run',
            program: tools.program,
            ...(given.operands[0] === undefined ? {} : { script: textsOf(given.operands)[0] ?? '' }),
          },
        ],
});

const table: readonly Row[] = [
  projectTools(
    'tsc tsgo vue-tsc svelte-check eslint eslint_d prettier vitest jest mocha ava tap jasmine karma cypress playwright biome oxlint oxfmt rome stylelint webpack rollup vite esbuild parcel tsup tsdown unbuild swc turbo nx lerna rush next nuxt astro remix gatsby ng nest svelte-kit storybook babel nodemon concurrently npm-run-all run-s run-p wait-on serve http-server json-server knip depcheck madge depcruise dependency-cruiser syncpack commitlint lint-staged husky lefthook changeset release-it typedoc api-extractor size-limit c8 nyc stryker tsd attw publint markdownlint markdownlint-cli2 cspell textlint sass lessc postcss tailwindcss prisma drizzle-kit typeorm sequelize knex graphql-codegen openapi-generator-cli electron electron-builder expo react-native pod fastlane xcodebuild swift swiftlint swiftformat',
  ),
  projectTools(
    'pytest py.test unittest tox nox mypy pyright basedpyright pylint flake8 ruff black isort bandit autopep8 yapf coverage pre-commit django-admin flask uvicorn gunicorn celery alembic jupyter nbconvert sphinx-build mkdocs cython pyinstaller ty pyre vulture radon twine.check',
    '--rcfile=use --config=use -c:use',
  ),
  projectTools('make gmake bmake', '-f:use --file=use -C:list --directory=list -I:list --eval=shell -E:shell'),
  projectTools(
    'ninja samu meson cmake ctest cpack bazel bazelisk buck2 pants scons waf just task mage rake thor invoke fab gulp grunt ant sbt lein mill xmake premake5 autoreconf autoconf automake configure libtool pkg-config',
  ),
  projectTools('mvn mvnw gradle gradlew kotlinc javac java jshell.run jar javap jdeps scalac groovyc'),
  projectTools(
    'gcc g++ cc c++ clang clang++ ld ar ranlib nm.run as gfortran rustc ghc stack cabal ocamlfind dune opam zig nim crystal dart flutter mix rebar3 gleam v odin nasm emcc dotnet msbuild nuget',
  ),
  projectTools(
    'clang-format clang-tidy cppcheck rustfmt gofmt goimports golangci-lint staticcheck gopls shfmt shellcheck hadolint yamllint actionlint ansible-lint tflint sqlfluff buf protoc rubocop standardrb rspec minitest phpunit phpstan php-cs-fixer psalm pest ktlint detekt checkstyle spotless',
  ),
  { names: 'ldd', operands: 'hidden*', options: '-v -u -d -r --verbose' },
  {
    names: 'nm objdump readelf size otool addr2line c++filt dwarfdump',
    operands: 'read*',
    options:
      '-a -A -B -b -C -D -d -S -s -t -T -r -R -x -h -l -L -n -v -V -W -w -g -u -p -f -i -o -H -e: -j: -M: --help --version --all-headers --disassemble --syms --demangle --dynamic --headers --sections --symbols --source',
  },
  {
    names: 'gdb lldb rr bpftrace',
    operands: 'hidden*',
    lenient: true,
    always: [hidden('a debugger runs commands of its own')],
  },
];

const goRuns =
  '-exec:hidden -toolexec:hidden -vettool:hidden -overlay:hidden -modfile:use -o:write -C:list -ldflags: -gcflags: -tags: -run: -bench: -count: -timeout: -coverprofile:write -cpuprofile:write -memprofile:write -v -race -cover -short -json -x -n -a -p: -mod: -trimpath -failfast -parallel: -cpu: -covermode: -coverpkg: -buildvcs: -fuzz: -fuzztime: -asan -msan -shuffle: -list: -benchmem -benchtime: -args';

/** Compilers, build and test tools. */
export const building: readonly Program[] = [
  ...rows(table),
  suite({
    names: 'cargo',
    globals: '-q -v -vv -V -Z: --locked --offline --frozen --color= --config=hidden -C:list --list --quiet --verbose',
    style: { abbreviates: false },
    bare: () => [],
    subcommands: [
      {
        names:
          'build|b|check|c|test|t|bench|run|r|doc|d|clippy|fmt|fix|rustc|rustdoc|nextest|miri|expand|llvm-cov|tarpaulin|watch|insta|hack|udeps|machete|deny|make|xtask|clean|miri|flamegraph',
        operands: 'text*',
        lenient: true,
        options: '--config=hidden -j: --manifest-path=use --target-dir=write',
        also: (_given, tools) => [{ kind: 'run', program: 'cargo', script: textsOf(tools.call.words)[1] ?? '' }],
      },
      {
        names:
          'tree|metadata|search|info|pkgid|locate-project|verify-project|help|version|read-manifest|outdated|audit|config',
        operands: 'text*',
        lenient: true,
        options: '--config=hidden',
      },
      {
        names: 'install|uninstall|add|remove|rm|update|fetch|vendor|generate-lockfile|init|new|upgrade|binstall',
        operands: 'text*',
        lenient: true,
        options: '--config=hidden --registry=hidden --index=hidden',
        always: [runs('package change')],
      },
      {
        names: 'publish|yank|owner|login|logout|release',
        operands: 'text*',
        lenient: true,
        always: [publishes('crate')],
      },
      { names: 'package', operands: 'text*', lenient: true, always: [runs('cargo package')] },
    ],
  }),
  suite({
    names: 'go',
    globals: '-C:list',
    style: { singleDash: true },
    nested: ['mod', 'work', 'tool', 'telemetry'],
    bare: () => [],
    subcommands: [
      {
        names: 'build|test|vet|generate|install|fix|fmt|tool',
        operands: 'text*',
        style: { singleDash: true },
        lenient: true,
        options: goRuns,
        also: (_given, tools) => [{ kind: 'run', program: 'go', script: textsOf(tools.call.words)[1] ?? '' }],
      },
      {
        names: 'run',
        operands: 'text*',
        lenient: true,
        style: { singleDash: true, stopsAtOperand: true },
        options: goRuns,
        also: (given) => [
          {
            kind: 'run',
            program: 'go',
            script: textsOf(given.operands)[0] ?? '',
            ...(/@/.test(textsOf(given.operands)[0] ?? '') ? { risk: 'fetched-code' as const } : {}),
          },
        ],
      },
      {
        names: 'version|doc|list|help|mod graph|mod why|mod verify|work --help',
        operands: 'list*',
        style: { singleDash: true },
        options:
          '-m -json -f: -deps -all -u -src -short -cmd -c -v -e -test -find -tags: -mod: -versions -retracted -vcs -export!open -compiled!open -toolexec:hidden -modfile:use -overlay:hidden',
      },
      { names: 'env', operands: 'text*', style: { singleDash: true }, options: '-json -w!hidden -u!hidden -changed' },
      {
        names:
          'get|clean|mod tidy|mod init|mod download|mod edit|mod vendor|work init|work use|work sync|work edit|telemetry',
        operands: 'text*',
        style: { singleDash: true },
        lenient: true,
        options: '-modfile:use -overlay:hidden -toolexec:hidden',
        always: [runs('go module change')],
      },
    ],
  }),
  suite({
    names: 'rustup',
    subcommands: [
      { names: 'show|which|check|--version|help|doc|man', operands: 'text*', lenient: true },
      {
        names: 'update|install|default|target|component|toolchain|override|self|set',
        operands: 'text*',
        lenient: true,
        always: [runs('toolchain change')],
      },
    ],
    special: {
      run: (args, tools) => {
        tools.command(args.slice(1));
        return [];
      },
    },
  }),
  program('twine', () => [publishes('package')]),
  program(
    'ansible ansible-playbook puppet chef salt vagrant packer pulumi cdk cdktf serverless sls sam eb copilot-cli heroku fly flyctl vercel netlify wrangler railway render firebase amplify surge gh-pages doctl linode-cli hcloud oci ibmcloud s3cmd rclone mc gsutil bq',
    (args, tools) => {
      const texts = textsOf(args);
      if (texts.length === 1 && /^(?:--version|-v|version|help|--help)$/.test(texts[0] ?? '')) return [];
      if (
        /^(?:status|list|ls|info|logs|whoami|plan|preview|diff|synth|validate|show|describe|apps|ps)$/.test(
          texts[0] ?? '',
        )
      )
        return [{ kind: 'connect', host: tools.program, sendsData: false }];
      return [publishes(`${tools.program} ${texts[0] ?? ''}`)];
    },
  ),
  program('gradle-wrapper', () => [uncovered('wrapper')]),
];
