import { type Arguments, has, optionTable, parseArguments, valueOfOption } from '../arguments.ts';
import { namesGate } from '../control-places.ts';
import { baseName } from '../lexical-path.ts';
import type { ShellEffect, Taint, WordReading } from '../model.ts';
import { deletePath, readPath, writePath } from '../path-effects.ts';
import { treasureAt } from '../places.ts';
import { applyRole, hostOf } from '../roles.ts';
import { type Row, rows } from '../rows.ts';
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

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\]|::1|0\.0\.0\.0)$/i.test(host);

const connect = (host: string, sends: boolean, method?: string): ShellEffect => ({
  kind: 'connect',
  host,
  sendsData: sends,
  ...(method === undefined ? {} : { method }),
  ...(sends && !isLoopback(host) ? { risk: 'send' as const } : {}),
});

const unknowns = (given: Arguments, tools: Tools): ShellEffect[] => [
  ...given.unknown.map((name) => uncovered(`${tools.program} ${name}`)),
  ...given.options.flatMap((option) => applyRole(option.role, option.value ?? word(option.name), tools)),
];

const curlTable = optionTable(
  '-a -A: -b: -B -c:write -C: -d: -D:write -e: -E:use -f -F: -g -G -h -H: -i -I -j -J -k -K:hidden -l -L -m: -M -n!credentials -N -o: -O -p -P: -q -Q:hidden -r: -R -s -S -t: -T: -u: -U: -v -V -w: -x:hidden -X: -y: -Y: -z: -Z -0 -1 -2 -3 -4 -6 -# --anyauth --basic --digest --bearer? --oauth2-bearer= --cacert=use --capath=list --cert=use --key=use --ciphers= --compressed --config=hidden --connect-timeout= --connect-to=hidden --cookie= --cookie-jar=write --create-dirs --data= --data-ascii= --data-binary= --data-raw= --data-urlencode= --json= --dump-header=write --fail --fail-with-body --fail-early --form= --form-string= --get --globoff --head --header= --http1.0 --http1.1 --http2 --http3 --include --insecure --ipv4 --ipv6 --limit-rate= --location --location-trusted --max-filesize= --max-redirs= --max-time= --no-buffer --no-progress-meter --noproxy= --output= --output-dir= --parallel --path-as-is --post301 --post302 --post303 --progress-bar --proto= --proto-redir= --proxy=hidden --range= --referer= --remote-header-name --remote-name --remote-name-all --remote-time --request= --request-target= --resolve=hidden --retry= --retry-all-errors --retry-connrefused --retry-delay= --retry-max-time= --show-error --silent --speed-limit= --speed-time= --ssl-reqd --stderr=write --tls-max= --tlsv1.2 --tlsv1.3 --tr-encoding --trace=write --trace-ascii=write --unix-socket= --abstract-unix-socket= --upload-file= --url= --url-query= --user= --user-agent= --verbose --write-out= --netrc!credentials --netrc-file=credentials --interface= --dns-servers=hidden --doh-url=hidden --engine=hidden --egd-file=hidden --help --version --manual --keepalive-time= --no-keepalive --raw --xattr --next --negotiate --ntlm',
);

const fileIn = (value: WordReading, marker: RegExp, tools: Tools): ShellEffect[] => {
  const text = textsOf([value])[0] ?? '';
  const match = marker.exec(text);
  if (match === null) return [];
  const path = text.slice(match[0].length).replace(/;.*$/s, '');
  if (path === '-' || path === '') return [];
  const reading: WordReading =
    value.kind === 'dynamic' ? { ...value, shape: path, knownPrefix: '' } : { kind: 'literal', text: path };
  return readPath(tools.target(reading), { how: 'content', shown: false }, tools.context);
};

const dataOptions = /^(?:-d|-F|-T|--data(?:-(?:ascii|binary|raw|urlencode))?|--json|--form(?:-string)?|--upload-file)$/;

const sentFiles = (given: Arguments, tools: Tools): ShellEffect[] =>
  given.options.flatMap((option) => {
    const { name, value } = option;
    if (value === undefined) return [];
    if (name === '-T' || name === '--upload-file')
      return literalText(value) === '-'
        ? []
        : readPath(tools.target(value), { how: 'content', shown: false }, tools.context);
    if (name === '-F' || name === '--form') return fileIn(value, /^[^=]*=[@<]/, tools);
    if (name === '--data-urlencode') return fileIn(value, /^[^@=]*@/, tools);
    return /^(?:-d|--data|--data-binary|--data-ascii|--json)$/.test(name)
      ? fileIn(value, /^@/, tools)
      : name === '-H' || name === '--header'
        ? fileIn(value, /^@/, tools)
        : [];
  });

const fetchedInto = (target: WordReading, tools: Tools): ShellEffect[] => {
  if (literalText(target) === '-') return [];
  const path = tools.target(target);
  const from: readonly Taint[] = ['network'];
  if (path.certainty === 'literal') tools.walk.files.set(path.path, { from });
  return writePath(path, { how: 'replace', from }, tools.context);
};

const urlName = (url: string): string =>
  baseName(url.replace(/^[a-z]+:\/\//i, '').replace(/[?#].*$/s, '')) || 'index.html';

const leaksIn = (words: readonly (WordReading | undefined)[]): boolean =>
  words.some((one) => one?.from?.includes('secret') === true);

const curl: ReadProgram = (args, tools) => {
  const given = parseArguments(args, curlTable);
  if (has(given, '-V', '--version', '-h', '--help')) return [];
  const urls = [
    ...given.operands,
    ...given.options.filter((option) => option.name === '--url').flatMap((option) => option.value ?? []),
  ];
  const method = literalText(valueOfOption(given, '-X', '--request'))?.toUpperCase();
  const hasData = given.options.some((option) => dataOptions.test(option.name));
  const sends =
    (hasData && !has(given, '-G', '--get')) ||
    (method !== undefined && !/^(?:GET|HEAD|OPTIONS)$/.test(method)) ||
    leaksIn(urls);
  const sent = sentFiles(given, tools);
  const fromInput = given.options.some(
    (option) =>
      /^(?:@?-|\.)$/.test(literalText(option.value)?.replace(/^[^@=]*@/, '') ?? '') && dataOptions.test(option.name),
  );
  const effects = [...unknowns(given, tools), ...sent];
  const socket = literalText(valueOfOption(given, '--unix-socket', '--abstract-unix-socket'));
  if (socket !== undefined) effects.push(...socketEffects(socket));
  for (const url of urls)
    effects.push(
      ...urlEffects(
        url,
        { sends: sends || sent.length > 0 || fromInput, method: method ?? (hasData ? 'POST' : 'GET') },
        tools,
      ),
    );
  const secret =
    (fromInput && tools.input.from.includes('secret')) ||
    (sends && leaksIn(given.options.filter((option) => dataOptions.test(option.name)).map((option) => option.value))) ||
    leaksIn(urls);
  if (secret) effects.push({ kind: 'catastrophe', what: 'sends a credential over the network', risk: 'send' });
  const output = valueOfOption(given, '-o', '--output');
  if (output !== undefined) effects.push(...fetchedInto(output, tools));
  if (has(given, '-O', '--remote-name', '--remote-name-all', '-J'))
    for (const url of urls) effects.push(...fetchedInto(word(urlName(textsOf([url])[0] ?? '')), tools));
  return effects;
};

const urlEffects = (
  url: WordReading,
  how: { readonly sends: boolean; readonly method: string },
  tools: Tools,
): ShellEffect[] => {
  const text = textsOf([url])[0] ?? '';
  if (/^file:/i.test(text))
    return readPath(
      tools.target(word(text.replace(/^file:\/\/(?:localhost)?/i, ''))),
      { how: 'content', shown: true },
      tools.context,
    );
  if (/^(?:gopher|dict|telnet|scp|sftp|smb|ldap|tftp):/i.test(text))
    return [connect(hostOf(text), true), hidden('unusual protocol')];
  return [connect(hostOf(text), how.sends, how.method)];
};

const socketEffects = (path: string): ShellEffect[] =>
  namesGate(path)
    ? [{ kind: 'control', name: 'socket', words: [path], plain: false, risk: 'control' }]
    : /docker\.sock|podman\.sock/.test(path)
      ? [{ kind: 'privilege', how: 'container engine socket', risk: 'privilege' }]
      : [{ kind: 'connect', host: path, sendsData: false }];

const wgetTable = optionTable(
  '-b -c -d -e:hidden -F -g: -h -H -i:hidden -k -K -l: -L -m -N -nc -nd -nH -nv -np -o:write -O: -p -P: -q -Q: -r -R: -A: -S -t: -T: -U: -v -w: -x -X: -I: -E -D: -4 -6 --accept= --adjust-extension --auth-no-challenge --background --backups? --ca-certificate=use --certificate=use --private-key=use --config=hidden --execute=hidden --input-file=hidden --use-askpass=hidden --connect-timeout= --content-disposition --continue --convert-links --cut-dirs= --delete-after --directory-prefix= --domains= --dns-timeout= --follow-tags= --force-directories --header= --help --https-only --inet4-only --level= --limit-rate= --load-cookies=use --save-cookies=write --max-redirect= --method= --mirror --no-cache --no-check-certificate --no-clobber --no-cookies --no-directories --no-hsts --no-host-directories --no-parent --no-proxy --no-verbose --output-document= --output-file=write --append-output=append --page-requisites --password= --user= --post-data= --post-file= --body-data= --body-file= --progress= --quiet --quota= --random-wait --read-timeout= --recursive --referer= --reject= --restrict-file-names= --retry-connrefused --save-headers --server-response --show-progress --spider --span-hosts --timeout= --timestamping --tries= --user-agent= --verbose --version --wait= --waitretry= -V --rejected-log=write --compression=',
);

const wget: ReadProgram = (args, tools) => {
  const joinedShort = args.map((one) => (/^-n[cdHvp]$/.test(literalText(one) ?? '') ? word('-q') : one));
  const given = parseArguments(joinedShort, wgetTable);
  if (has(given, '-V', '--version', '-h', '--help')) return [];
  const body = valueOfOption(given, '--post-file', '--body-file');
  const sends = body !== undefined || has(given, '--post-data', '--body-data') || leaksIn(given.operands);
  const effects = unknowns(given, tools);
  if (body !== undefined)
    effects.push(...readPath(tools.target(body), { how: 'content', shown: false }, tools.context));
  for (const url of given.operands)
    effects.push(connect(hostOf(textsOf([url])[0] ?? ''), sends, sends ? 'POST' : 'GET'));
  if (leaksIn(given.operands) || leaksIn([valueOfOption(given, '--post-data', '--body-data')]))
    effects.push({ kind: 'catastrophe', what: 'sends a credential over the network', risk: 'send' });
  const output = valueOfOption(given, '-O', '--output-document');
  const folder = literalText(valueOfOption(given, '-P', '--directory-prefix')) ?? '.';
  if (output !== undefined) return [...effects, ...fetchedInto(output, tools)];
  if (has(given, '--spider')) return effects;
  return [
    ...effects,
    ...given.operands.flatMap((url) => fetchedInto(word(`${folder}/${urlName(textsOf([url])[0] ?? '')}`), tools)),
  ];
};

const sshOptions =
  '-1 -2 -4 -6 -a -A -C -f -g -G -k -K -M -n -N -q -s -t -T -v -V -x -X -y -Y -b: -B: -c: -D: -e: -E:write -F:hidden -i:use -I:hidden -J: -l: -L: -m: -o: -O: -p: -P: -Q: -R: -S: -w: -W:';
const sshTable = optionTable(sshOptions);

// Most `-o` settings are harmless; some run a command on this side.
const settingEffects = (given: Arguments): ShellEffect[] =>
  given.options
    .filter((option) => option.name === '-o')
    .flatMap((option) =>
      /^(?:StrictHostKeyChecking|ConnectTimeout|BatchMode|UserKnownHostsFile|LogLevel|ServerAlive\w+|Port|User|IdentitiesOnly|PasswordAuthentication|PreferredAuthentications|ControlPersist|RequestTTY)[= ]/i.test(
        literalText(option.value) ?? '',
      )
        ? []
        : [hidden('ssh option that may run a command')],
    );

const ssh: ReadProgram = (args, tools) => {
  const given = parseArguments(args, sshTable, { stopsAtOperand: true });
  if (has(given, '-V', '-Q', '-G') && given.operands.length === 0) return [];
  const [host, ...command] = given.operands;
  const effects = [...unknowns(given, tools), ...settingEffects(given)];
  if (host === undefined) return effects;
  effects.push(connect(hostOf(textsOf([host])[0] ?? ''), true));
  if (command.length > 0 || !has(given, '-T', '-N')) effects.push(hidden('runs on another machine'));
  return effects;
};

const remoteText = (one: WordReading): boolean =>
  /^(?:[\w.-]+@)?[\w.-]+:|^(?:rsync|scp|sftp):\/\//.test(textsOf([one])[0] ?? '') &&
  !/^\//.test(textsOf([one])[0] ?? '');

const scpTable = optionTable(
  '-3 -4 -6 -A -B -C -O -p -q -r -R -s -T -v -c: -D:hidden -F:hidden -i:use -J: -l: -o: -P: -S:hidden -X:',
);

const transfer = (operands: readonly WordReading[], tools: Tools): ShellEffect[] => {
  const target = operands.at(-1);
  const sources = operands.slice(0, -1);
  const sends = target !== undefined && remoteText(target);
  return operands.flatMap((one): ShellEffect[] => {
    if (remoteText(one)) return [connect(hostOf(textsOf([one])[0] ?? ''), sends)];
    if (one === target)
      return writePath(
        tools.target(one),
        { how: 'replace', ...(sources.some(remoteText) ? { from: ['network'] as const } : {}) },
        tools.context,
      );
    return readPath(tools.target(one), { how: 'search', shown: false }, tools.context);
  });
};

const scp: ReadProgram = (args, tools) => {
  const given = parseArguments(args, scpTable);
  return [...unknowns(given, tools), ...settingEffects(given), ...transfer(given.operands, tools)];
};

const rsyncTable = optionTable(
  '-a -A -b -c -C -d -D -e:hidden -E -f: -g -h -H -i -I -k -K -l -L -m -M:hidden -n -o -O -p -P -q -r -R -s -S -t -T: -u -U -v -W -x -X -y -z -0 -4 -6 -8 -F -@: -B: --archive --verbose --recursive --checksum --compress --delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args --dry-run --exclude= --exclude-from=use --include= --include-from=use --files-from=use --filter= --human-readable --ignore-existing --info= --itemize-changes --links --copy-links --safe-links --no-owner --no-group --no-perms --numeric-ids --partial --progress --stats --quiet --relative --update --times --omit-dir-times --whole-file --size-only --inplace --append --backup --backup-dir=write --suffix= --bwlimit= --timeout= --rsh=hidden --rsync-path=hidden --remote-option=hidden --password-file=credentials --log-file=write --write-batch=hidden --read-batch=hidden --max-size= --min-size= --prune-empty-dirs --mkpath --chmod= --chown= --remove-source-files --link-dest=list --compare-dest=list --copy-dest=list --list-only --out-format= --one-file-system --force --max-delete= --ignore-errors --protect-args --cvs-exclude',
);

const rsync: ReadProgram = (args, tools) => {
  const given = parseArguments(args, rsyncTable);
  const effects = unknowns(given, tools);
  if (has(given, '-n', '--dry-run', '--list-only'))
    return [
      ...effects,
      ...given.operands.flatMap((one) =>
        remoteText(one) ? [connect(hostOf(textsOf([one])[0] ?? ''), false)] : applyRole('list', one, tools),
      ),
    ];
  effects.push(...transfer(given.operands, tools));
  const target = given.operands.at(-1);
  if (given.options.some((option) => /^--del/.test(option.name)) && target !== undefined) {
    if (remoteText(target)) effects.push({ kind: 'state', what: 'deletes on another machine', risk: 'destroy' });
    else {
      const path = tools.target(target);
      effects.push(...deletePath(path, { recursive: true }, tools.context));
      const lost = path.certainty === 'literal' ? treasureAt(path.path, tools.context) : undefined;
      if (lost !== undefined)
        effects.push({ kind: 'catastrophe', what: `deletes what is not in the source from ${lost}`, risk: 'destroy' });
    }
  }
  if (has(given, '--remove-source-files'))
    for (const one of given.operands.slice(0, -1))
      effects.push(...deletePath(tools.target(one), { recursive: true }, tools.context));
  return effects;
};

const netcatTable = optionTable(
  '-4 -6 -b -c:hidden -C -d -D -e:hidden -F -g: -G: -h -i: -I: -k -l -m: -M: -n -N -o:write -O: -p: -P: -q: -r -s: -S -t -T: -u -U -v -V: -w: -W: -x:hidden -X: -y -z -Z: --exec=hidden --sh-exec=hidden --lua-exec=hidden --listen --udp --ssl --verbose --proxy=hidden',
);

const netcat: ReadProgram = (args, tools) => {
  const given = parseArguments(args, netcatTable);
  const texts = textsOf(given.operands);
  const gate = texts.find((text) => namesGate(text));
  if (gate !== undefined) return socketEffects(gate);
  const host = texts[0] ?? '';
  const sends = !has(given, '-z') && tools.input.fed;
  const effects = [...unknowns(given, tools), connect(host, sends || (!has(given, '-z') && !isLoopback(host)))];
  if (sends && tools.input.from.includes('secret'))
    effects.push({ kind: 'catastrophe', what: 'sends a credential over the network', risk: 'send' });
  return effects;
};

const socat: ReadProgram = (args) => {
  const texts = textsOf(args);
  if (texts.some(namesGate)) return socketEffects(texts.find(namesGate) ?? '');
  return [hidden('socat connects streams, files and programs')];
};

const table: readonly Row[] = [
  {
    names: 'ping ping6',
    operands: 'connect',
    options:
      '-4 -6 -a -A -b -B -c: -D -f -h -i: -I: -L -l: -m: -M: -n -O -p: -q -Q: -r -R -s: -S: -t: -T: -U -v -V -w: -W:',
  },
  {
    names: 'dig host nslookup drill whois traceroute tracepath mtr',
    operands: 'text*',
    options:
      '-4 -6 -a -b: -c: -d -f:read -h -i -k:use -m -n -p: -q: -r -t: -u -v -w -x: -y: -C -l -N: -R: -s: -T -V -W:',
    also: (given) =>
      given.operands.length === 0
        ? []
        : [{ kind: 'connect', host: hostOf(textsOf(given.operands)[0] ?? ''), sendsData: false }],
  },
  {
    names: 'ip ifconfig route arp iwconfig ethtool',
    operands: 'text*',
    options: '-a -s -4 -6 -br -c -j -d -o -n -v -h -brief -color -json -p -r -details -stats',
    style: { singleDash: true },
    also: (given) =>
      textsOf(given.operands).some((text) =>
        /^(?:add|del|delete|set|flush|change|replace|up|down|append|exec)$/.test(text),
      )
        ? [{ kind: 'privilege', how: 'network settings', risk: 'privilege' }]
        : textsOf(given.operands).some((text) => /netns|vrf/.test(text))
          ? [hidden('network namespace')]
          : [],
  },
  { names: 'http https xh httpie', operands: 'open*' },
  {
    names: 'aria2c axel lynx w3m links elinks ftp lftp sftp telnet nmap masscan tcpdump tshark ngrok cloudflared',
    operands: 'hidden*',
  },
];

/** Programs that talk over the network. */
export const network: readonly Program[] = [
  ...rows(table),
  program('curl', curl),
  program('wget wget2', wget),
  program('ssh autossh mosh sshpass', ssh),
  program('scp', scp),
  program('rsync', rsync),
  program('nc ncat netcat', netcat),
  program('socat', socat),
  program('ssh-keygen ssh-add ssh-copy-id ssh-agent', (args) => {
    const text = textsOf(args).join(' ');
    return /^-l\b|^-L$|^-F |^-lf /.test(text) ? [uncovered('reads keys')] : [hidden('handles keys')];
  }),
  program('ssh-keyscan', (args) => [connect(textsOf(args).at(-1) ?? '', false)]),
];
