import { has, optionTable, parseArguments } from '../arguments.ts';
import type { ShellEffect, WordReading } from '../model.ts';
import { deletePath, writePath } from '../path-effects.ts';
import { applyRole } from '../roles.ts';
import { type Row, rows, suite } from '../rows.ts';
import { hidden, literalText, type Program, program, type ReadProgram, textsOf, uncovered, word } from '../tools.ts';

const changesSystem = (how: string): ShellEffect => ({ kind: 'privilege', how, risk: 'privilege' });

const ruins = (names: string, what: string): Program =>
  program(names, (args) =>
    args.length === 1 && /^(?:--version|--help|-V|-h)$/.test(literalText(args[0]) ?? '')
      ? []
      : [{ kind: 'catastrophe', what, risk: 'destroy' }],
  );

const tarTable = optionTable(
  '-c -x -t -r -u -d -A -f: -v -w -z -j -J -Z -a -p -P -k -h -l -m -o -O -s -S -W -C:list -T:use -X:use -I:hidden -F:hidden -g:write -b: -H: -K: -L: -N: -V: -B -M -R -U -i -n -G --create --extract --get --list --append --update --delete --diff --compare --file= --verbose --gzip --bzip2 --xz --zstd --lzma --auto-compress --use-compress-program=hidden --directory=list --exclude= --exclude-from=use --exclude-vcs --exclude-vcs-ignores --files-from=use --strip-components= --transform= --xform= --wildcards --no-wildcards --no-anchored --keep-old-files --skip-old-files --overwrite --unlink-first --recursive-unlink!hidden --remove-files!hidden --same-owner --no-same-owner --no-same-permissions --preserve-permissions --numeric-owner --owner= --group= --mode= --mtime= --sort= --to-stdout --to-command=hidden --checkpoint?text --checkpoint-action=hidden --info-script=hidden --new-volume-script=hidden --rsh-command=hidden --rmt-command=hidden --absolute-names --dereference --one-file-system --totals? --utc --full-time --null --no-recursion --format= --posix --gnu --ignore-failed-read --index-file=write --listed-incremental=write --show-transformed-names --quoting-style= --warning= --occurrence? --touch --no-xattrs --xattrs --acls --selinux --force-local --label= --verify --anchored --ignore-case --hard-dereference --one-top-level? --newer-mtime= --newer= --after-date= --no-mac-metadata --disable-copyfile',
);

const archiving = /^[cxtruAdvzjJZakpPhfOlmoSWwBbCTXsUiGn]+$/;

// `tar xzf a.tgz`: the first word is a cluster without its dash.
const tarWords = (args: readonly WordReading[]): readonly WordReading[] => {
  const [first, ...rest] = args;
  const text = literalText(first);
  if (text === undefined || text.startsWith('-') || !archiving.test(text)) return args;
  const letters = [...text].filter((letter) => !/[fCTXb]/.test(letter)).join('');
  const valued = [...text].filter((letter) => /[fCTXb]/.test(letter));
  const head: WordReading[] = letters === '' ? [] : [word(`-${letters}`)];
  return [
    ...head,
    ...valued.flatMap((letter, index) =>
      rest[index] === undefined ? [] : [word(`-${letter}`), rest[index] as WordReading],
    ),
    ...rest.slice(valued.length),
  ];
};

const tar: ReadProgram = (args, tools) => {
  const given = parseArguments(tarWords(args), tarTable);
  if (has(given, '--version', '--help')) return [];
  const effects: ShellEffect[] = given.unknown.map((name) => uncovered(`tar ${name}`));
  for (const option of given.options)
    if (option.name !== '-f' && option.name !== '--file')
      effects.push(...applyRole(option.role, option.value ?? word(option.name), tools));
  const archive = given.options.filter((option) => option.name === '-f' || option.name === '--file').at(-1)?.value;
  const folder =
    given.options.filter((option) => option.name === '-C' || option.name === '--directory').at(-1)?.value ?? word('.');
  if (archive !== undefined && /^[^/]*:/.test(textsOf([archive])[0] ?? ''))
    effects.push(hidden('archive on another machine'));
  if (has(given, '-t', '--list', '-d', '--diff', '--compare'))
    return [...effects, ...(archive === undefined ? [] : applyRole('use', archive, tools))];
  if (has(given, '-x', '--extract', '--get')) {
    const written = has(given, '-O', '--to-stdout')
      ? []
      : writePath(tools.target(folder), { how: 'create', from: tools.input.from }, tools.context);
    return [
      ...effects,
      ...(archive === undefined ? [] : applyRole('use', archive, tools)),
      ...written,
      ...(has(given, '-P', '--absolute-names') ? [hidden('archive decides which files change')] : []),
    ];
  }
  const at = (one: WordReading): WordReading =>
    literalText(one) === undefined || literalText(folder) === '.' || /^\//.test(literalText(one) ?? '')
      ? one
      : word(`${literalText(folder) ?? '.'}/${literalText(one) ?? ''}`);
  return [
    ...effects,
    ...(archive === undefined ? [] : applyRole('write', archive, tools)),
    ...given.operands.flatMap((one) => applyRole('use', at(one), tools)),
  ];
};

const crontab: ReadProgram = (args) => {
  const texts = textsOf(args);
  if (texts.length === 1 && texts[0] === '-l') return [];
  return texts.includes('-r')
    ? [{ kind: 'state', what: 'all cron jobs', risk: 'destroy' }]
    : [{ kind: 'state', what: 'cron jobs', risk: 'persist' }];
};

const opensslReads = /^(?:version|list|ciphers|help|rand|prime|dgst|sha256|sha1|md5|errstr|asn1parse|speed)$/;

const openssl: ReadProgram = (args, tools) => {
  const [verb, ...rest] = textsOf(args);
  const effects: ShellEffect[] = [];
  args.forEach((one, index) => {
    const name = literalText(args[index - 1]) ?? '';
    if (/^-(?:in|inkey|key|certfile|CA|CAkey|CAfile|pass|passin|kfile|recip|signer|inform-file)$/.test(name))
      effects.push(
        ...applyRole(
          'use',
          /^file:/.test(literalText(one) ?? '') ? word((literalText(one) ?? '').slice(5)) : one,
          tools,
        ),
      );
    if (/^-(?:out|keyout|CAserial|writerand|signature)$/.test(name)) effects.push(...applyRole('write', one, tools));
    if (/^-(?:engine|provider|provider-path|config|conf)$/.test(name)) effects.push(hidden('openssl loads something'));
  });
  if (verb === undefined) return [uncovered('openssl session')];
  if (
    /^(?:enc|base64|cms|smime|pkeyutl|aes.*|des.*)$/.test(verb) &&
    rest.some((text) => /^-(?:d|decrypt|D)$/.test(text))
  )
    effects.push({ kind: 'decode' });
  if (verb === 's_client')
    effects.push({ kind: 'connect', host: rest[rest.indexOf('-connect') + 1] ?? '', sendsData: tools.input.fed });
  if (/^(?:s_server|engine|ocsp|ts)$/.test(verb)) effects.push(hidden('openssl service'));
  return opensslReads.test(verb) ||
    /^(?:enc|base64|x509|req|rsa|pkey|ec|genrsa|genpkey|ecparam|dhparam|pkcs8|pkcs12|crl|verify|s_client|cms|smime|pkeyutl|passwd|rehash)$/.test(
      verb,
    )
    ? effects
    : [...effects, uncovered(`openssl ${verb}`)];
};

const unpacking = (names: string, options: string): Row => ({
  names,
  operands: 'use text*',
  options,
  also: (given, tools) => {
    if (has(given, '-l', '-t', '-Z', '-z', '-v') && !has(given, '-d')) return [];
    const folder = given.options.find((option) => option.name === '-d' || option.name === '-o')?.value ?? word('.');
    return has(given, '-p', '-c')
      ? []
      : [...writePath(tools.target(folder), { how: 'create', from: tools.input.from }, tools.context)];
  },
});

const table: readonly Row[] = [
  unpacking('unzip', '-l -t -z -Z -v -p -c -d: -o -n -j -q -qq -u -f -a -aa -b -C -D -L -M -P: -x: -X -K -V -: -W --'),
  {
    names: 'zip',
    operands: 'write use*',
    options:
      '-r -R -q -v -j -m!hidden -u -f -d -x: -i: -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -y -e -P:credentials -T -TT:hidden-shell -n: -s: -o -D -X -S -z -c -A -F -FF -b:create -t: -@ -g -l -k --recurse-paths --quiet --junk-paths --exclude= --include= --unzip-command=hidden-shell --test --symlinks --password=credentials',
    style: { singleDash: true },
  },
  {
    names: 'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress pigz brotli lzma',
    operands: 'modify*',
    options:
      '-c -d -f -k -l -n -N -q -r -S: -t -v -V -z -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -T: -o:write -p: -e -D:use -M: --stdout --to-stdout --decompress --uncompress --force --keep --list --quiet --recursive --suffix= --test --verbose --best --fast --threads= --ultra --long? --rm --no-name --name',
  },
  {
    names: '7z 7za 7zz rar unrar ar.archive cpio pax ditto',
    operands: 'text*',
    lenient: true,
    always: [uncovered('archive tool')],
  },
  {
    names:
      'gpg gpg2 age sops pass op bw vault security secret-tool keyctl doppler infisical chamber lpass keepassxc-cli',
    operands: 'text*',
    lenient: true,
    always: [{ kind: 'disclose', what: 'a credential store', risk: 'credentials' }],
  },
  {
    names: 'patch',
    operands: 'modify use',
    options:
      '-p: -i:use -R -N -b -d:list -o:write -r:write -s -u -f -l -n -t -E -F: -Z -T --strip= --input=use --dry-run --reverse --forward --backup --verbose --quiet --silent --merge? --output=write --reject-file=write --directory=list',
    also: (given) => (has(given, '--dry-run') ? [] : [hidden('the patch decides which files change')]),
  },
  {
    names:
      'mount umount losetup swapon swapoff modprobe insmod rmmod sysctl iptables ip6tables nft ufw firewall-cmd setenforce setsebool useradd userdel usermod groupadd groupdel passwd chpasswd chsh chfn visudo vipw update-alternatives ldconfig hostnamectl timedatectl localectl loginctl nmcli networksetup scutil dscl csrutil spctl defaults launchctl pmset systemsetup kextload bless nvram tccutil softwareupdate setcap getcap visudo vigr adduser deluser addgroup newgrp chage faillock authconfig grub-install update-grub efibootmgr dpkg-reconfigure update-rc.d chkconfig rc-update rc-service initctl telinit init',
    operands: 'text*',
    lenient: true,
    also: (given, tools) =>
      systemLooks(tools.program, textsOf(given.operands), [
        ...given.options.map((option) => option.name),
        ...given.unknown,
      ])
        ? []
        : [changesSystem(tools.program)],
  },
  {
    names: 'reboot shutdown halt poweroff',
    operands: 'text*',
    lenient: true,
    always: [changesSystem('stops the machine')],
  },
  {
    names: 'at batch atrm',
    operands: 'text*',
    lenient: true,
    always: [{ kind: 'state', what: 'jobs for later', risk: 'persist' }],
  },
  {
    names: 'open xdg-open gnome-open start explorer',
    operands: 'text*',
    lenient: true,
    always: [uncovered('opens something on the desktop')],
  },
  { names: 'pbcopy xclip xsel wl-copy clip', operands: 'text*', lenient: true, always: [uncovered('clipboard')] },
  {
    names: 'pbpaste wl-paste',
    operands: 'text*',
    lenient: true,
    always: [{ kind: 'disclose', what: 'the clipboard', risk: 'credentials' }],
  },
  {
    names:
      'convert magick identify ffmpeg ffprobe sox exiftool pdftotext pandoc wkhtmltopdf gs inkscape dot graphviz plantuml mmdc qrencode jpegoptim optipng pngquant cwebp',
    operands: 'text*',
    lenient: true,
    also: (_given, tools) =>
      /^-?-version$/.test(textsOf(tools.call.words.slice(1)).join(' ')) ? [] : [uncovered('media tool')],
  },
  {
    names: 'say afplay osd notify-send zenity dialog whiptail',
    operands: 'text*',
    lenient: true,
    always: [uncovered('shows something to the person')],
  },
  {
    names: 'mail mailx sendmail mutt msmtp swaks',
    operands: 'text*',
    lenient: true,
    always: [{ kind: 'connect', host: 'mail', sendsData: true, risk: 'send' }],
  },
  {
    names: 'sw_vers system_profiler hwinfo lshw dmidecode lsb_release uname.info getent nproc.info',
    operands: 'text*',
    options: '-a -d -s -c -r -i -short -json -productName -productVersion -buildVersion',
  },
];

/** Options with which these programs still only show something. */
const looking: ReadonlySet<string> = new Set(
  '-a -n -e -N -l -v -V -h --values --names --all --version --help --no-pager --no-legend --property --list'.split(' '),
);

const systemLooks = (name: string, operands: readonly string[], options: readonly string[]): boolean => {
  if (options.some((option) => !looking.has(option))) return false;
  if (name === 'mount')
    return operands.length === 0 && !options.some((option) => option === '-a' || option === '--all');
  if (name === 'sysctl') return operands.every((one) => !one.includes('='));
  if (/^(?:hostnamectl|timedatectl|localectl|loginctl|nmcli|defaults|launchctl|getcap|spctl|csrutil)$/.test(name))
    return (
      /^(?:status|show|list|read|print|list-sessions|list-timezones|device|connection|)$/.test(operands[0] ?? '') &&
      !operands.some((one) => /^(?:set|add|delete|modify|up|down)/.test(one))
    );
  return options.length === 1 && options[0] === '--version';
};

const showsLogs =
  /^(?:-[abefklmqrux0-9]+|-[nopStTuUDgi].*|--(?:unit|user-unit|user|system|no-pager|since|until|lines|follow|output|output-fields|grep|boot|dmesg|priority|identifier|reverse|utc|quiet|all|list-boots|disk-usage|catalog|no-hostname|case-sensitive|no-tail|pager-end|help|version|fields|field|facility|merge|no-full|full)(?:=.*)?)$/;

/** Archives, keys, services and the machine itself. */
export const system: readonly Program[] = [
  ...rows(table),
  program('tar gtar bsdtar', tar),
  program('openssl', openssl),
  program('crontab', crontab),
  ruins(
    'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkswap wipefs blkdiscard sgdisk sfdisk',
    'erases a disk',
  ),
  program(
    'fdisk gdisk parted diskutil cfdisk hdparm nvme cryptsetup lvremove vgremove pvremove zpool zfs mdadm',
    (args) =>
      /^(?:-l|--list|list|print|status|info|apfs list)$/.test(textsOf(args)[0] ?? '')
        ? []
        : [{ kind: 'state', what: 'disks', risk: 'destroy' }],
  ),
  suite({
    names: 'systemctl',
    globals:
      '--user --system --no-pager -l -a -n: -q -t: --type= --state= --all --full --failed --no-legend -p: --property= -o: --output= -H:hidden -M:hidden --host=hidden --now --plain --no-block',
    bare: () => [],
    subcommands: [
      {
        names:
          'status|show|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|is-active|is-enabled|is-failed|is-system-running|cat|help|list-jobs|show-environment|get-default|list-machines',
        operands: 'text*',
        lenient: true,
      },
      {
        names:
          'start|stop|restart|reload|try-restart|reload-or-restart|kill|daemon-reload|daemon-reexec|isolate|reset-failed|set-property|reboot|poweroff|halt|suspend|hibernate|rescue|emergency|default|set-environment|import-environment|clean|freeze|thaw|exit|kexec|set-default|revert',
        operands: 'text*',
        lenient: true,
        always: [changesSystem('services')],
      },
      {
        names: 'enable|disable|mask|unmask|edit|link|preset|add-wants|add-requires|reenable',
        operands: 'text*',
        lenient: true,
        always: [{ kind: 'state', what: 'services that start by themselves', risk: 'persist' }],
      },
    ],
  }),
  program('service', (args) =>
    textsOf(args).at(-1) === 'status' || textsOf(args)[0] === '--status-all' ? [] : [changesSystem('services')],
  ),
  program('journalctl', (args) =>
    textsOf(args).some((text) => /^--(?:vacuum|rotate|flush|sync|relinquish)/.test(text))
      ? [{ kind: 'state', what: 'logs', risk: 'destroy' }]
      : textsOf(args)
          .filter((text) => text.startsWith('-') && !showsLogs.test(text))
          .map((text) => uncovered(`journalctl ${text}`)),
  ),
  program('log', (args) => (/^(?:show|stream|stats)$/.test(textsOf(args)[0] ?? '') ? [] : [uncovered('log')])),
  program('srm wipe', (args, tools) =>
    args
      .filter((one) => !literalText(one)?.startsWith('-'))
      .flatMap((one) => deletePath(tools.target(one), { recursive: true }, tools.context)),
  ),
];
