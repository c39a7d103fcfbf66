/** The built-in roles as the specification lists them, written down a second time on purpose. */
export interface RoleCase {
  readonly name: string;
  readonly category: 'implementation' | 'knowledge' | 'full-access';
  readonly allow: string;
  readonly deny: string;
  /** What the description has to say. */
  readonly says: readonly RegExp[];
}

export const roleCases: readonly RoleCase[] = [
  {
    name: 'coder',
    category: 'implementation',
    allow:
      'src/** lib/** Cargo.toml Cargo.lock package.json package-lock.json go.mod go.sum pyproject.toml requirements*.txt',
    deny: 'tests/** test-fixtures/** *.test.* *.spec.* *_test.go docs/** .github/** .gitlab-ci.yml *.tf *.tfvars',
    says: [/build/, /development server/, /not push/, /publish/, /CI/, /tests? .*tester/],
  },
  {
    name: 'tester',
    category: 'implementation',
    allow:
      'tests/** test-fixtures/** *.test.* *.spec.* *_test.go test_*.py **/test_*.py **/*_test.go jest.config.* pytest.ini vitest.config.* .coveragerc codecov.yml',
    deny: 'src/** lib/** docs/** .github/** *.tf',
    says: [/coverage/, /linters/, /not change source/, /push/, /install packages/, /docker-compose\.test\.yml/],
  },
  {
    name: 'integrator',
    category: 'implementation',
    allow:
      '*.tf *.tfvars *.hcl terraform/** infra/** pulumi/** cdk/** cloudformation/** ansible/** helm/** .terraform.lock.hcl',
    deny: 'src/** lib/** tests/** docs/** .github/**',
    says: [/infrastructure as code/, /NEVER runs `terraform apply`/, /explicitly approved/, /not change application/],
  },
  {
    name: 'devops',
    category: 'implementation',
    allow:
      '.github/** .gitlab-ci.yml .circleci/** Jenkinsfile .buildkite/** Dockerfile* docker-compose* .dockerignore Makefile .eslintrc* .prettierrc* .editorconfig tsconfig* .*rc .*rc.* .tool-versions .nvmrc .python-version .ruby-version rust-toolchain.toml lefthook.yml .husky/** .pre-commit-config.yaml',
    deny: 'src/** lib/** tests/** docs/** *.tf',
    says: [/continuous integration/, /NEVER .*production deployment/, /explicitly approved/, /not change application/],
  },
  {
    name: 'researcher',
    category: 'knowledge',
    allow: 'docs/research/**',
    deny: 'src/** lib/** tests/** .github/** *.tf',
    says: [/never writes code/, /file:line/, /URL/, /architect and planner/],
  },
  {
    name: 'architect',
    category: 'knowledge',
    allow: 'docs/architecture/** docs/adr/**',
    deny: 'src/** lib/** tests/** .github/** *.tf',
    says: [/design documents/, /docs\/adr\//, /never writes implementation code/],
  },
  {
    name: 'planner',
    category: 'knowledge',
    allow: 'docs/plans/**',
    deny: 'src/** lib/** tests/** .github/** *.tf',
    says: [/never writes code/, /stranger without any prior context/, /coder, tester and devops/],
  },
  {
    name: 'reviewer',
    category: 'knowledge',
    allow: 'docs/reviews/**',
    deny: 'src/** lib/** tests/** .github/** *.tf docs/reviews/security/**',
    says: [/linters/, /static analysis/, /at least 75 of 100/, /not write source/],
  },
  {
    name: 'security-reviewer',
    category: 'knowledge',
    allow: 'docs/reviews/security/**',
    deny: 'src/** lib/** tests/** .github/** *.tf docs/reviews/*.md',
    says: [/cargo audit, npm audit, pip-audit, tfsec, checkov/, /CRITICAL, HIGH, MEDIUM or LOW/, /attack/, /remedy/],
  },
  {
    name: 'docs',
    category: 'knowledge',
    allow: 'docs/** *.md *.aisp CHANGELOG.md LICENSE',
    deny: 'src/** lib/** tests/** .github/** *.tf',
    says: [/Accuracy comes before everything/, /code example against the real source/],
  },
  {
    name: 'maintainer',
    category: 'full-access',
    allow: '**',
    deny: '',
    says: [/last word/, /releases/, /irreversible/, /verifying the present state/],
  },
  {
    name: 'troubleshooter',
    category: 'full-access',
    allow: '**',
    deny: '',
    says: [
      /reproduce, isolate, inspect, form a hypothesis, test it, fix, verify, document/,
      /no more than the repair needs/,
    ],
  },
];

/** Role, path, and what the path lists say about writing it. */
export const writeCases: [role: string, path: string, outcome: 'allow' | 'deny' | 'none'][] = [
  ['coder', 'src/app.ts', 'allow'],
  ['coder', 'src/app.test.ts', 'deny'],
  ['coder', 'tests', 'deny'],
  ['coder', 'package.json', 'allow'],
  ['coder', 'packages/a/package.json', 'none'],
  ['coder', 'packages/a/tests/x.ts', 'none'],
  ['coder', 'services/requirements-dev.txt', 'allow'],
  ['coder', 'src/infra/main.tf', 'deny'],
  ['coder', 'src/.gitlab-ci.yml', 'deny'],
  ['tester', 'tests/a.py', 'allow'],
  ['tester', 'pkg/a_test.go', 'allow'],
  ['tester', 'src/a.test.ts', 'deny'],
  ['tester', 'vitest.config.ts', 'allow'],
  ['integrator', 'modules/net/main.tf', 'allow'],
  ['integrator', 'src/main.tf', 'deny'],
  ['devops', '.github/workflows/ci.yml', 'allow'],
  ['devops', 'svc/Dockerfile', 'allow'],
  ['devops', 'tools/.babelrc.json', 'allow'],
  ['devops', 'main.tf', 'deny'],
  ['researcher', 'docs/research/x.md', 'allow'],
  ['researcher', 'docs/plans/x.md', 'none'],
  ['architect', 'docs/adr/0001.md', 'allow'],
  ['planner', 'docs/plans/a/b.md', 'allow'],
  ['reviewer', 'docs/reviews/x.md', 'allow'],
  ['reviewer', 'docs/reviews/security/x.md', 'deny'],
  ['security-reviewer', 'docs/reviews/security/x.md', 'allow'],
  ['security-reviewer', 'docs/reviews/security/2024/x.md', 'allow'],
  ['security-reviewer', 'docs/reviews/x.md', 'deny'],
  ['docs', 'README.md', 'allow'],
  ['docs', 'packages/a/README.md', 'allow'],
  ['docs', 'src/README.md', 'deny'],
  ['maintainer', '.github/x', 'allow'],
  ['troubleshooter', 'any/thing', 'allow'],
];
