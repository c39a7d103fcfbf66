import type { ReadAssignment, ShellEffect, WordReading } from './model.ts';

/** Names that change nothing but language, colour, verbosity and the like. */
const harmless =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|CI|NODE_ENV|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING|RUST_BACKTRACE|RUST_LOG|CARGO_TERM_COLOR|GOOS|GOARCH|CGO_ENABLED|DEBIAN_FRONTEND|SOURCE_DATE_EPOCH|POSIXLY_CORRECT|GIT_TERMINAL_PROMPT|GIT_PAGER_IN_USE|GIT_OPTIONAL_LOCKS|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|VITEST|BLOCKSIZE|LS_COLORS|GREP_COLORS?|MSYS_NO_PATHCONV|LINT|E2E|VERBOSE|TEST_ENV|APP_ENV|RAILS_ENV|RACK_ENV|ENVIRONMENT|PORT|HOST_PORT)$/;

/** Names through which another program, library or configuration is brought in. */
const hijacking =
  /^(?:LD_.*|DYLD_.*|GIT_.*|SSH_ASKPASS.*|SUDO_ASKPASS|.*_?PAGER|EDITOR|VISUAL|BROWSER|LESS(?:OPEN|CLOSE|KEY.*|EDIT)?|MORE|MANOPT|PATH|CDPATH|MANPATH|FPATH|HOME|SHELL|IFS|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|BASH_FUNC.*|ZDOTDIR|TMPDIR|NODE_(?!ENV$).*|NPM_CONFIG_.*|npm_config_.*|npm_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|PYTHON(?!UNBUFFERED|DONTWRITE|IOENC).*|PIP_.*|UV_.*|VIRTUAL_ENV|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_.*|_JAVA_OPTIONS|JDK_.*|CLASSPATH|MAVEN_.*|GRADLE_.*|GO(?!OS$|ARCH$).*|CARGO(?!_TERM_COLOR).*|RUSTC.*|RUSTFLAGS|CC|CXX|LD|AR|CFLAGS|CXXFLAGS|LDFLAGS|MAKE.*|CMAKE_.*|TAR_OPTIONS|GZIP|RSYNC_.*|CURL_.*|WGETRC|.*_proxy|.*_PROXY|SSL_.*|REQUESTS_CA_BUNDLE|OPENSSL_.*|GNUPGHOME|DOCKER_.*|COMPOSE_.*|KUBECONFIG|KUBE_.*|HELM_.*|TF_.*|AWS_.*|AZURE_.*|GOOGLE_.*|CLOUDSDK_.*|PG.*|MYSQL_.*|SQLITE_.*|XDG_.*|TERMINFO.*|RIPGREP_CONFIG_PATH|FZF_.*|GCONV_PATH|LOCPATH|HOSTALIASES|RESOLV_.*|MALLOC_.*|GLIBC_.*|_)$/;

/** Names that the gate or its host listens to. */
const controlling =
  /^(?:HOOKWISE_.*|CAPTAIN_HOOK_.*|HOOKER_.*|CLAUDE_.*|CLAUDECODE|ANTHROPIC_.*|AGENT_ROLE|AGENT_DISABLED)$/i;

export type VariableClass = 'harmless' | 'hijacking' | 'controlling' | 'other';

/** What setting an environment variable of this name can do to the programs that see it. */
export const classOfVariable = (name: string): VariableClass => {
  if (harmless.test(name)) return 'harmless';
  if (controlling.test(name)) return 'controlling';
  return hijacking.test(name) ? 'hijacking' : 'other';
};

const textOf = (value: ReadAssignment['value']): string | undefined =>
  value.kind === 'list' ? undefined : value.kind === 'dynamic' ? value.shape : value.text;

/** What it means that a program is started with these variables. */
export const environmentEffects = (assignments: readonly ReadAssignment[]): ShellEffect[] =>
  assignments.map((assignment) => environmentEffect(assignment));

const environmentEffect = ({ name, value }: ReadAssignment): ShellEffect => {
  const text = textOf(value) ?? '';
  if (text.trimStart().startsWith('() {')) return { kind: 'unknown', why: `function in $${name}`, hidden: true };
  if (/^(?:GIT_|MAN)?PAGER$/.test(name) && /^(?:cat|less|more|true|false|)$/.test(text))
    return { kind: 'state', what: `$${name}` };
  switch (classOfVariable(name)) {
    case 'harmless':
      return { kind: 'state', what: `$${name}` };
    case 'controlling':
      return { kind: 'control', name: `$${name}`, words: [name], plain: false, risk: 'control' };
    case 'hijacking':
      return { kind: 'unknown', why: `$${name} changes what programs do`, hidden: true };
    case 'other':
      return { kind: 'unknown', why: `$${name} is not a known variable`, hidden: false };
  }
};

/** Commands that git takes from these variables whenever it starts. */
export const gitConfigurationOf = (assignments: readonly ReadAssignment[]): { key: string; value: WordReading }[] => {
  const held = new Map(assignments.map((one) => [one.name, one.value]));
  const found: { key: string; value: WordReading }[] = [];
  for (const [name, key] of held) {
    const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
    const value = number === undefined ? undefined : held.get(`GIT_CONFIG_VALUE_${number}`);
    const keyText = textOf(key);
    if (value !== undefined && value.kind !== 'list' && keyText !== undefined) found.push({ key: keyText, value });
  }
  return found;
};
