import { has, optionTable, parseArguments } from '../arguments.ts';
import type { ShellEffect, WordReading } from '../model.ts';
import { type Row, readRow, rows, suite } from '../rows.ts';
import {
  hidden,
  literalText,
  type Program,
  program,
  type ReadProgram,
  type Tools,
  textsOf,
  uncovered,
  word,
} from '../tools.ts';

const runs = (what: string): ShellEffect => ({ kind: 'run', program: what });
const publishes = (what: string): ShellEffect => ({ kind: 'publish', what, risk: 'publish' });
const loses = (what: string): ShellEffect => ({ kind: 'state', what, risk: 'destroy' });
const asks = (host: string): ShellEffect => ({ kind: 'connect', host, sendsData: false });

const engineGlobals =
  '-H:hidden --host=hidden -c:hidden --context=hidden --config=hidden -l: --log-level= -D --debug --tls --tlsverify --tlscacert=use --tlscert=use --tlskey=use -v -f:use --file=use -p: --project-name= --profile= --env-file=use --project-directory=list --ansi= --progress= --compatibility --parallel=';

const lenient = (names: string, always: readonly ShellEffect[], options = ''): Row => ({
  names,
  operands: 'text*',
  lenient: true,
  options,
  always,
});

// A container that gets the host's files or rights is the host.
const containerRun: ReadProgram = (args, tools) => {
  const texts = textsOf(args);
  const effects: ShellEffect[] = [runs(`${tools.program} run`)];
  if (
    texts.some(
      (text) =>
        /^--(?:privileged|pid=host|ipc=host|uts=host|userns=host|cap-add|device|security-opt)(?:=|$)/.test(text) ||
        /docker\.sock/.test(text),
    )
  )
    effects.push({ kind: 'privilege', how: 'container with host rights', risk: 'privilege' });
  texts.forEach((text, index) => {
    const mount = /^(?:-v|--volume|--mount)$/.test(texts[index - 1] ?? '')
      ? text
      : /^(?:-v|--volume=|--mount=)(.+)/.exec(text)?.[1];
    const source = mount === undefined ? undefined : (/(?:source|src)=([^,]+)/.exec(mount)?.[1] ?? mount.split(':')[0]);
    if (source === undefined || !/^[/.~$]/.test(source)) return;
    const target = tools.target(word(source.replace(/^~(?=\/|$)/, tools.context.home)));
    if (!target.path.startsWith(tools.context.root))
      effects.push({ kind: 'privilege', how: `container sees ${source}`, risk: 'privilege' });
  });
  return effects;
};

// What runs inside a container stays there as far as paths go; it is shown, and shells inside are named.
const containerExec: ReadProgram = (args, tools) => {
  const shell = args.findIndex((one) => /^(?:.*\/)?(?:ba|da|z|a)?sh$/.test(literalText(one) ?? ''));
  if (shell >= 0 && args.slice(shell + 1).some((one) => /^-\w*c$/.test(literalText(one) ?? '')))
    tools.command(args.slice(shell));
  return [runs(`${tools.program} exec`)];
};

const engineCommands: readonly Row[] = [
  {
    names:
      'ps|images|version|info|inspect|logs|stats|top|port|diff|history|search|events|container ls|container list|container ps|container inspect|container logs|container stats|container top|container port|image ls|image list|image inspect|image history|volume ls|volume inspect|network ls|network inspect|system df|system info|context ls|context show|context inspect|compose ps|compose logs|compose config|compose images|compose top|compose ls|compose version|compose port|compose events|manifest inspect|buildx ls|buildx inspect|buildx du|node ls|service ls|service ps|service logs|stack ls|stack ps|secret ls|config ls|plugin ls|wait|machine list|pod ps|healthcheck',
    operands: 'text*',
    lenient: true,
  },
  lenient(
    'build|buildx build|buildx bake|image build|compose build|compose create|create|container create|commit|tag|image tag|import|load|image load',
    [runs('container build')],
  ),
  lenient('pull|image pull|compose pull', [asks('container registry')]),
  lenient('push|image push|compose push|login|logout|manifest push|buildx imagetools', [publishes('container image')]),
  lenient(
    'start|restart|stop|pause|unpause|kill|container start|container stop|container restart|container kill|compose up|compose start|compose stop|compose restart|compose run|compose pause|compose unpause|compose kill|compose watch|attach|rename|update|network create|network connect|network disconnect|volume create|compose down',
    [runs('containers')],
    '-v!destroy --volumes!destroy',
  ),
  lenient(
    'rm|rmi|container rm|image rm|image prune|container prune|volume rm|volume prune|network rm|network prune|system prune|builder prune|buildx prune|compose rm|compose down -v|swarm leave|stack rm|service rm|secret rm|config rm|buildx rm|context rm|pod rm',
    [loses('containers, images or volumes')],
  ),
  lenient('cp|container cp|compose cp|export|save|image save|container export', [
    uncovered('copies files in or out of a container'),
  ]),
  lenient('swarm|service|stack|node|secret|config|plugin|context|system|machine|trust|checkpoint', [
    publishes('container platform'),
  ]),
];

const engine = (names: string): Program =>
  suite({
    names,
    globals: engineGlobals,
    style: { abbreviates: false },
    nested: [
      'compose',
      'container',
      'image',
      'volume',
      'network',
      'system',
      'context',
      'builder',
      'buildx',
      'manifest',
      'node',
      'service',
      'stack',
      'secret',
      'config',
      'plugin',
      'swarm',
      'machine',
      'pod',
    ],
    bare: () => [],
    subcommands: engineCommands,
    special: {
      run: containerRun,
      'container run': containerRun,
      exec: containerExec,
      'container exec': containerExec,
      'compose exec': containerExec,
    },
  });

const composeAlone: ReadProgram = (args, tools) => {
  tools.command([word('docker'), word('compose'), ...args]);
  return [];
};

const clusterGlobals =
  '--context= --cluster= -n: --namespace= --kubeconfig=hidden --user= --as=privilege --token=credentials -s:hidden --server=hidden -v: --request-timeout= -A --all-namespaces -o: -l: --kube-context= --debug --insecure-skip-tls-verify';

const cluster: readonly Program[] = [
  suite({
    names: 'kubectl oc k kubectx kubens',
    globals: clusterGlobals,
    style: { abbreviates: false },
    nested: ['config', 'rollout', 'auth', 'top', 'cluster-info'],
    bare: () => [],
    special: {
      exec: containerExec,
      version: (args) => (textsOf(args).includes('--client') ? [] : [asks('cluster')]),
      get: (args, tools) => [
        asks('cluster'),
        ...(textsOf(args).some((text) => /^secrets?(?:\/|$|,)|,secrets?/.test(text))
          ? [{ kind: 'disclose', what: 'cluster secrets', risk: 'credentials' } as const]
          : []),
        ...readRow({
          names: 'get',
          operands: 'text*',
          lenient: true,
          options: '--kubeconfig=hidden -s:hidden --server=hidden',
        })(args, tools),
      ],
    },
    subcommands: [
      lenient('config current-context|config get-contexts|config get-clusters|completion|options|help', []),
      lenient(
        'describe|logs|top|version|explain|api-resources|api-versions|cluster-info|diff|events|wait|config view|rollout status|rollout history|auth can-i|auth whoami|top pod|top node|kustomize|status|projects',
        [asks('cluster')],
      ),
      lenient(
        'apply|create|replace|patch|edit|set|label|annotate|expose|autoscale|scale|run|rollout|rollout restart|rollout undo|rollout pause|rollout resume|taint|cordon|uncordon|drain|certificate|debug|attach|config|new-app|new-project|adm|start-build',
        [publishes('cluster change')],
      ),
      lenient('delete', [loses('cluster objects')]),
      lenient('port-forward|proxy|cp|plugin', [uncovered('connects to a cluster')]),
    ],
  }),
  suite({
    names: 'helm helmfile kustomize argocd flux istioctl skaffold tilt minikube kind k3d eksctl kops',
    globals: clusterGlobals,
    nested: ['repo', 'plugin', 'get', 'show', 'dependency', 'registry'],
    subcommands: [
      lenient('version|env|help', []),
      lenient(
        'list|ls|status|history|get|show|template|lint|search|repo list|verify|diff|plan|build|profile|get values|get manifest|show values|dependency list|logs',
        [asks('cluster')],
        '--post-renderer=hidden',
      ),
      lenient(
        'install|upgrade|rollback|uninstall|delete|push|repo add|repo update|repo remove|pull|package|create|plugin install|test|apply|sync|destroy|dependency update|dependency build|start|stop|dev|run|deploy',
        [publishes('cluster change')],
        '--post-renderer=hidden',
      ),
    ],
  }),
  suite({
    names: 'terraform tofu terragrunt',
    globals: '-chdir:list',
    style: { singleDash: true },
    nested: ['state', 'workspace', 'providers'],
    subcommands: [
      { names: 'version', operands: 'text*', options: '-json' },
      {
        names:
          'validate|fmt|show|output|graph|providers|state list|state show|workspace list|workspace show|providers schema|metadata',
        operands: 'text*',
        lenient: true,
        always: [runs('terraform')],
      },
      {
        names: 'plan|init|get|refresh|console|test|login|logout|run-all',
        operands: 'text*',
        lenient: true,
        always: [runs('terraform')],
      },
      {
        names:
          'apply|import|taint|untaint|state mv|state push|state replace-provider|force-unlock|workspace new|workspace select',
        operands: 'text*',
        lenient: true,
        always: [publishes('infrastructure change')],
      },
      {
        names: 'destroy|state rm|workspace delete',
        operands: 'text*',
        lenient: true,
        always: [loses('infrastructure')],
      },
    ],
  }),
];

const cloudVerb =
  /^(?:list|ls|describe|get|show|help|version|info|whoami|print-access-token|status|head|search|lookup|validate|wait)(?:-|$)/;
const cloudLoses = /^(?:delete|rm|remove|destroy|terminate|purge|rb|deregister|revoke|detach)(?:-|$)/;
const cloudSecret =
  /secret|credential|password|access-token|get-session-token|assume-role|get-login|kms|ssm|parameter|export-credentials|keys?$/;

// `service verb`, whatever the service: verbs tell looking from changing.
const cloud: ReadProgram = (args, tools) => {
  const words = textsOf(args).filter(
    (text, index, all) =>
      !text.startsWith('-') &&
      !/^--(?:profile|region|project|output|query|subscription|format|account|endpoint-url)$/.test(
        all[index - 1] ?? '',
      ),
  );
  const texts = textsOf(args);
  if (texts.length === 0 || /^(?:--version|version|help|--help)$/.test(texts[0] ?? '')) return [];
  if (texts.some((text) => /^--endpoint-url|^--cli-input/.test(text))) return [hidden('another endpoint')];
  const verbs = words.slice(0, 6);
  if (words[0] === 'configure' || words[0] === 'auth' || words[0] === 'login' || words[0] === 'config')
    return verbs.some((one) => /^(?:list|get|whoami)$/.test(one))
      ? [{ kind: 'disclose', what: 'cloud settings', risk: 'credentials' }]
      : [hidden('cloud credentials')];
  if (verbs.some((one) => cloudLoses.test(one))) return [loses('cloud resources')];
  if (verbs.some((one) => cloudSecret.test(one)))
    return [{ kind: 'disclose', what: 'cloud secrets', risk: 'credentials' }];
  if (words[0] === 's3' && /^(?:cp|sync|mv|mb)$/.test(words[1] ?? '')) {
    const target = words.at(-1) ?? '';
    return target.startsWith('s3://')
      ? [{ kind: 'connect', host: 's3', sendsData: true, risk: 'send' }]
      : [asks('s3'), { kind: 'write', how: 'replace', ...tools.target(word(target)) }];
  }
  return verbs.slice(1).some((one) => cloudVerb.test(one)) || cloudVerb.test(verbs[0] ?? '')
    ? [asks(tools.program)]
    : [publishes(`${tools.program} ${verbs.slice(0, 2).join(' ')}`)];
};

const forge: Program = suite({
  names: 'gh glab tea',
  globals: '-R: --repo= --hostname=',
  nested: [
    'pr',
    'issue',
    'repo',
    'run',
    'release',
    'workflow',
    'gist',
    'auth',
    'secret',
    'variable',
    'api',
    'label',
    'cache',
    'extension',
    'alias',
    'config',
    'ruleset',
    'search',
    'mr',
    'ci',
    'project',
    'ssh-key',
    'gpg-key',
    'codespace',
    'org',
    'attestation',
    'job',
    'pipeline',
  ],
  bare: () => [],
  subcommands: [
    lenient(
      'pr view|pr list|pr status|pr diff|pr checks|issue view|issue list|issue status|repo view|repo list|run list|run view|run watch|release list|release view|workflow list|workflow view|gist list|gist view|auth status|label list|cache list|ruleset list|ruleset view|ruleset check|search prs|search issues|search code|search repos|search commits|status|mr view|mr list|mr diff|ci view|ci list|ci status|ci get|org list|project list|project view|project item-list|variable list|secret list|job list|job view|pipeline list|version|help|attestation verify|extension list|alias list|config list|config get|ssh-key list|gpg-key list',
      [asks('forge')],
    ),
    lenient(
      'pr checkout|repo clone|run download|release download|repo sync|repo fork|gist clone|mr checkout|repo set-default|co',
      [asks('forge'), runs('repository change')],
    ),
    lenient(
      'pr create|pr comment|pr edit|pr review|pr ready|pr reopen|pr merge|pr close|pr lock|pr update-branch|issue create|issue comment|issue edit|issue close|issue reopen|issue develop|issue pin|issue transfer|release create|release edit|release upload|workflow run|workflow enable|run rerun|run cancel|gist create|gist edit|label create|label edit|mr create|mr merge|mr note|mr update|mr close|mr approve|repo create|repo edit|repo rename|repo archive|ci run|ci retry|project|variable set|org',
      [publishes('forge')],
    ),
    lenient(
      'pr delete|issue delete|repo delete|release delete|gist delete|label delete|cache delete|run delete|variable delete|secret delete|workflow disable|ssh-key delete|codespace delete',
      [loses('data on the forge')],
    ),
    lenient(
      'auth|auth login|auth token|auth refresh|auth setup-git|auth logout|auth switch|secret|secret set|ssh-key|gpg-key',
      [{ kind: 'disclose', what: 'forge credentials', risk: 'credentials' }],
    ),
    lenient('extension|alias|config|codespace|extension install|extension exec|alias set|config set', [
      hidden('settings or extensions'),
    ]),
  ],
  special: {
    api: (args) => {
      const given = parseArguments(
        args,
        optionTable(
          '-X: --method= -f: -F: --field= --raw-field= -H: --header= -i --include -q: --jq= -t: --template= --paginate --slurp --input= --cache= -p: --preview= --hostname= --silent --verbose',
        ),
      );
      const method = textsOf(
        given.options.filter((one) => one.name === '-X' || one.name === '--method').flatMap((one) => one.value ?? []),
      )
        .at(-1)
        ?.toUpperCase();
      const writes =
        (method !== undefined && method !== 'GET') ||
        (method === undefined && has(given, '-f', '-F', '--field', '--raw-field', '--input'));
      const query = textsOf(given.operands)[0] === 'graphql' && !textsOf(args).some((text) => /mutation/.test(text));
      return [
        ...given.unknown.map((name) => uncovered(`api ${name}`)),
        writes && !query ? publishes(`api ${method ?? 'POST'}`) : asks('forge'),
      ];
    },
  },
});

const select =
  /^\s*(?:select|show|explain(?!\s+analy)|describe|desc|with(?![\s\S]*\b(?:insert|update|delete)\b)|pragma\s+(?:table_info|table_list|index_list)|\\[dlz?][\w+]*|\.(?:tables|schema|databases|indexes|help|mode|headers?|dump))\b/i;
const destroys = /\b(?:drop|truncate|delete\s+from|flushall|flushdb|dropdatabase|dropcollection|deletemany|remove\()/i;
const escapes =
  /\bcopy\b[\s\S]*\bprogram\b|\binto\s+(?:out|dump)file\b|\bload_file\b|\bpg_read_file\b|xp_cmdshell|load_extension|\blo_(?:import|export)\b|\bsystem\b|\battach\b|\b(?:readfile|writefile|edit|fts3_tokenizer|dblink\w*|pg_ls_dir|pg_stat_file|pg_read_binary_file|query_to_xml|sys_exec|sys_eval|utl_\w+)\s*\(|\\(?:!|copy|i\b|ir\b|o\b|w\b|e\b|ef\b|setenv|gexec|g\s+\S|gx\s+\S|g\s*\|)/i;

// Quoted text may hold semicolons; what is left of a statement cut there is not taken for looking.
const statementsIn = (text: string): string[] => text.split(/;|\n(?=\s*[.\\])/).filter((one) => one.trim() !== '');

const sqlText = (text: string, tools: Tools): ShellEffect[] => {
  const effects: ShellEffect[] = [];
  for (const line of text.split(/[\n;]/)) {
    const shell = /^\s*(?:\.(?:shell|system|sh)|\\!|!|system)\s+(.+)$/s.exec(line)?.[1];
    if (shell !== undefined) tools.shell(word(shell.replace(/^(['"])(.*)\1$/s, '$2')));
    const output = /^\s*(?:\.(?:output|once|save|backup|excel|log)|\\o)\s+(\S+)/.exec(line)?.[1];
    if (output?.startsWith('|')) effects.push(hidden('database client runs a command'));
    else if (output !== undefined) effects.push({ kind: 'write', how: 'replace', ...tools.target(word(output)) });
    if (/^\s*(?:\.(?:read|load|import|open)|\\i|\\copy|source)\b/.test(line))
      effects.push(hidden('database client command'));
    if (shell !== undefined) effects.push(hidden('database client runs a command'));
  }
  if (escapes.test(text)) effects.push(hidden('statement reaches out of the database'));
  if (destroys.test(text)) effects.push(loses('database content'));
  else if (statementsIn(text).some((one) => !select.test(one))) effects.push({ kind: 'code', language: 'sql', text });
  return effects;
};

const databaseOptions = optionTable(
  '-c: -e: -f:hidden -h: -H: -p? -P: -U: -u: -d: -D: -n: -t -A -q -x -X -w -W -1 -l -v -V -s -N -B -r -E -b -a: --command= --file=hidden --host= --port= --username= --user= --dbname= --database= --tuples-only --no-align --csv --html --json --quiet --no-psqlrc --execute= --eval= --password? --batch --silent --table --raw --version --help --list --echo-all --single-transaction --cmd= --header --readonly -readonly -json -csv -header -column -box -markdown -line -list -table -cmd: -separator: -init:hidden -batch -bail --init-command= --tls --no-auth-warning -o:write --output=write -L:write --log-file=write',
);

const database: ReadProgram = (args, tools) => {
  const given = parseArguments(args, databaseOptions, { singleDash: /sqlite|duckdb/.test(tools.program) });
  if (has(given, '--version', '--help', '-V') && given.operands.length === 0) return [];
  const effects: ShellEffect[] = given.unknown.map((name) => uncovered(`${tools.program} ${name}`));
  for (const option of given.options)
    if (option.role === 'hidden') effects.push(hidden(`${tools.program} ${option.name}`));
  const isFile = /sqlite|duckdb/.test(tools.program);
  const statements: WordReading[] = given.options
    .filter((option) => /^(?:-c|-e|--command|--execute|--eval|--cmd|-cmd|--init-command)$/.test(option.name))
    .flatMap((option) => option.value ?? []);
  if (isFile) statements.push(...given.operands.slice(1));
  if (/^redis/.test(tools.program)) statements.push(word(textsOf(given.operands).join(' ')));
  if (isFile && given.operands[0] !== undefined)
    effects.push({ kind: 'read', how: 'content', shown: true, ...tools.target(given.operands[0]) });
  else effects.push(asks('database'));
  for (const one of statements)
    effects.push(...(one.kind === 'literal' ? redisOrSql(one.text, tools) : [hidden('statement is computed')]));
  if (statements.length === 0)
    effects.push(
      ...(tools.input.text !== undefined
        ? sqlText(tools.input.text, tools)
        : [tools.input.fed ? hidden('statements from standard input') : uncovered('interactive database session')]),
    );
  return effects;
};

const redisOrSql = (text: string, tools: Tools): ShellEffect[] => {
  if (!/^redis/.test(tools.program)) return sqlText(text, tools);
  if (
    /^(?:get|mget|hget|hgetall|keys|scan|ttl|type|exists|info|ping|dbsize|llen|lrange|smembers|zrange|strlen|time|client list|config get|memory|object)\b/i.test(
      text,
    )
  )
    return [];
  return destroys.test(text) ||
    /^(?:del|unlink|config|eval|script|module|slaveof|replicaof|debug|shutdown|migrate)\b/i.test(text)
    ? [loses('database content')]
    : [{ kind: 'code', language: 'redis', text }];
};

const table: readonly Row[] = [
  lenient('dropdb|mysqladmin|dropuser', [loses('database content')]),
  lenient(
    'pg_dump|pg_dumpall|mysqldump|mongodump|createdb|createuser|pg_restore|mongorestore|mongoimport|mongoexport|initdb|pg_ctl|redis-server|mongod|mysqld|postgres',
    [runs('database tool')],
  ),
];

/** Containers, clusters, clouds, forges and databases. */
export const services: readonly Program[] = [
  engine('docker podman nerdctl'),
  program('docker-compose podman-compose', composeAlone),
  ...cluster,
  program('aws gcloud az', cloud),
  forge,
  program(
    'psql mysql mariadb sqlite3 sqlite duckdb redis-cli valkey-cli mongosh mongo clickhouse-client cqlsh sqlcmd influx',
    database,
  ),
  ...rows(table.map((row) => ({ ...row, names: row.names.replaceAll('|', ' ') }))),
];
