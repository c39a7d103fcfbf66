import type { GlobRule, Role, RoleCategory } from '../model/policy.ts';

interface BuiltinRole {
  readonly category: Exclude<RoleCategory, 'custom'>;
  /** What the chooser says beside the name. */
  readonly summary: string;
  readonly description: string;
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
}

const notForKnowledge = ['src/**', 'lib/**', 'tests/**', '.github/**', '*.tf'];

/** In the order in which people are offered them. */
const table: Readonly<Record<string, BuiltinRole>> = {
  coder: {
    category: 'implementation',
    summary: 'modify src/, lib/ (Recommended)',
    description:
      'Implements features and fixes on its own initiative: reads the application source and changes it, together with ' +
      'the manifest and lock files that go with a change. It may run the build and start development servers. It must ' +
      'not push with git, publish packages, or touch CI configuration, and it leaves tests to the tester.',
    allowWrite: [
      'src/**',
      'lib/**',
      'Cargo.toml',
      'Cargo.lock',
      'package.json',
      'package-lock.json',
      'go.mod',
      'go.sum',
      'pyproject.toml',
      'requirements*.txt',
    ],
    denyWrite: [
      'tests/**',
      'test-fixtures/**',
      '*.test.*',
      '*.spec.*',
      '*_test.go',
      'docs/**',
      '.github/**',
      '.gitlab-ci.yml',
      '*.tf',
      '*.tfvars',
    ],
  },
  tester: {
    category: 'implementation',
    summary: 'modify tests/ only',
    description:
      'Writes tests and runs them, with coverage tools and linters, without supervision of every step. It may read all ' +
      'source for context. It must not change source code, push with git, or install packages. Docker is open to it ' +
      'only in projects that have a docker-compose.test.yml.',
    allowWrite: [
      'tests/**',
      'test-fixtures/**',
      '*.test.*',
      '*.spec.*',
      '*_test.go',
      'test_*.py',
      '**/test_*.py',
      '**/*_test.go',
      'jest.config.*',
      'pytest.ini',
      'vitest.config.*',
      '.coveragerc',
      'codecov.yml',
    ],
    denyWrite: ['src/**', 'lib/**', 'docs/**', '.github/**', '*.tf'],
  },
  integrator: {
    category: 'implementation',
    summary: 'terraform, IaC files',
    description:
      'Looks after infrastructure as code: Terraform, Pulumi, CDK, CloudFormation, Ansible and Helm. It weighs every ' +
      'change by the resources it touches, what depends on them, the state they hold and how far damage would spread. ' +
      'It must not change application source or tests, and it NEVER runs `terraform apply` before a person has ' +
      'explicitly approved it.',
    allowWrite: [
      '*.tf',
      '*.tfvars',
      '*.hcl',
      'terraform/**',
      'infra/**',
      'pulumi/**',
      'cdk/**',
      'cloudformation/**',
      'ansible/**',
      'helm/**',
      '.terraform.lock.hcl',
    ],
    denyWrite: ['src/**', 'lib/**', 'tests/**', 'docs/**', '.github/**'],
  },
  devops: {
    category: 'implementation',
    summary: 'CI/CD, config files',
    description:
      'Looks after continuous integration and delivery: pipelines, container files, tool configuration and the ' +
      'environment developers work in. It must not change application source, tests or documentation, and it NEVER ' +
      'starts a production deployment before a person has explicitly approved it.',
    allowWrite: [
      '.github/**',
      '.gitlab-ci.yml',
      '.circleci/**',
      'Jenkinsfile',
      '.buildkite/**',
      'Dockerfile*',
      'docker-compose*',
      '.dockerignore',
      'Makefile',
      '.eslintrc*',
      '.prettierrc*',
      '.editorconfig',
      'tsconfig*',
      '.*rc',
      '.*rc.*',
      '.tool-versions',
      '.nvmrc',
      '.python-version',
      '.ruby-version',
      'rust-toolchain.toml',
      'lefthook.yml',
      '.husky/**',
      '.pre-commit-config.yaml',
    ],
    denyWrite: ['src/**', 'lib/**', 'tests/**', 'docs/**', '*.tf'],
  },
  researcher: {
    category: 'knowledge',
    summary: 'write to docs/research/',
    description:
      'Finds things out: gathers information, studies the codebase and candidate technologies, and reports in a ' +
      'structured way under docs/research/, where architect and planner pick it up. It never writes code. Every claim ' +
      'names its evidence: file:line for code, a URL for anything from outside.',
    allowWrite: ['docs/research/**'],
    denyWrite: notForKnowledge,
  },
  architect: {
    category: 'knowledge',
    summary: 'write to docs/architecture/, docs/adr/',
    description:
      'Designs systems at a senior level: compares alternatives, decides on structure, and records the result as ' +
      'design documents under docs/architecture/ (for planner and coder) and decision records under docs/adr/ (for ' +
      'everybody). It never writes implementation code, so that a design is not bent towards what is quick to code.',
    allowWrite: ['docs/architecture/**', 'docs/adr/**'],
    denyWrite: notForKnowledge,
  },
  planner: {
    category: 'knowledge',
    summary: 'write to docs/plans/',
    description:
      'Turns requirements into implementation plans: explores the codebase, settles technical questions, and writes ' +
      'detailed, unambiguous plans under docs/plans/ for coder, tester and devops. It never writes code. A plan is ' +
      'good when a stranger without any prior context could carry it out.',
    allowWrite: ['docs/plans/**'],
    denyWrite: notForKnowledge,
  },
  reviewer: {
    category: 'knowledge',
    summary: 'write to docs/reviews/',
    description:
      'Reviews changes at a senior level for correctness, maintainability, security and the standards of the project. ' +
      'Its findings go to docs/reviews/, for coder and maintainer; it does not write source code. It may run linters ' +
      'and static analysis. To keep noise out it reports an issue only when its confidence is at least 75 of 100.',
    allowWrite: ['docs/reviews/**'],
    denyWrite: [...notForKnowledge, 'docs/reviews/security/**'],
  },
  'security-reviewer': {
    category: 'knowledge',
    summary: 'write to docs/reviews/security/, run scanners',
    description:
      'Reviews code as an attacker would: vulnerabilities, insecure patterns, gaps in compliance. It may run security ' +
      'scanners in the shell (cargo audit, npm audit, pip-audit, tfsec, checkov). Findings go to ' +
      'docs/reviews/security/, for coder, maintainer and devops, each ranked CRITICAL, HIGH, MEDIUM or LOW, with the ' +
      'way it could be attacked and how to remedy it. It does not write source code.',
    allowWrite: ['docs/reviews/security/**'],
    denyWrite: [...notForKnowledge, 'docs/reviews/*.md'],
  },
  docs: {
    category: 'knowledge',
    summary: 'write to docs/, *.md',
    description:
      'Writes documentation and keeps it accurate, short and useful, in the conventions and formatting the project ' +
      'already has. It may read every file for context and checks each code example against the real source. Accuracy ' +
      'comes before everything: no documentation is better than wrong documentation. It does not write source code.',
    allowWrite: ['docs/**', '*.md', '*.aisp', 'CHANGELOG.md', 'LICENSE'],
    denyWrite: notForKnowledge,
  },
  maintainer: {
    category: 'full-access',
    summary: 'full repository access',
    description:
      'Has the last word on code quality, releases and the health of the repository, with access to everything. It may ' +
      'create and delete branches and tags, merge pull requests, change CI/CD, update dependencies and make releases. ' +
      'It checks twice before it acts: no irreversible step without verifying the present state first.',
    allowWrite: ['**'],
    denyWrite: [],
  },
  troubleshooter: {
    category: 'full-access',
    summary: 'full access for debugging',
    description:
      'Diagnoses and repairs bugs, slowness and failing systems, with access to the whole repository. It works by the ' +
      'scientific method: reproduce, isolate, inspect, form a hypothesis, test it, fix, verify, document. It writes ' +
      'down what it found and changes no more than the repair needs.',
    allowWrite: ['**'],
    denyWrite: [],
  },
};

const rules = (globs: readonly string[]): readonly GlobRule[] => globs.map((glob) => ({ glob, scope: 'builtin' }));

/** The twelve roles that exist without any configuration. */
export const builtinRoles: ReadonlyMap<string, Role> = new Map(
  Object.entries(table).map(([name, { category, description, allowWrite, denyWrite }]) => [
    name,
    {
      name,
      description,
      category,
      scope: 'role',
      paths: { allowWrite: rules(allowWrite), denyWrite: rules(denyWrite), allowRead: rules(['**']) },
    },
  ]),
);

const namesOf = (category: RoleCategory): readonly string[] =>
  Object.entries(table).flatMap(([name, role]) => (role.category === category ? [name] : []));

/** The built-in roles as prompts group them; roles of a project come after. */
export const roleGroups: readonly { readonly title: string; readonly roles: readonly string[] }[] = [
  { title: 'Implementation', roles: namesOf('implementation') },
  { title: 'Knowledge', roles: namesOf('knowledge') },
  { title: 'Full-access', roles: namesOf('full-access') },
];

/** One line each for the question that people answer, shown as `[label] summary`. */
export const chooserEntries: readonly { readonly label: string; readonly summary: string }[] = [
  ...Object.entries(table).map(([label, { summary }]) => ({ label, summary })),
  { label: 'disable', summary: 'turn off hookwise' },
];
