import { couldMatchName, couldMatchPath, isPattern, knownDirectory } from './glob-match.ts';
import { baseName, isBelow, isWithin, parentOf } from './lexical-path.ts';
import type { ShellContext } from './model.ts';

const sourceFile =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|cc|cpp|h|hpp|cs|php|vue|svelte|html?|s?css|md|mdx|rst|adoc|sql|graphql|proto|snap|lua|ex|exs|scala|tf)$/;

const sampleEnvironment = /^\.env(?:\.[\w-]+)*\.(?:example|sample|template|dist|defaults?)$|^\.env-(?:example|sample)$/;

const keyFile = /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|asc\.gpg)$/;

const secretNames = new Set([
  '.netrc',
  '_netrc',
  '.pgpass',
  '.pypirc',
  '.git-credentials',
  '.htpasswd',
  '.dockercfg',
  '.my.cnf',
  '.s3cfg',
  '.boto',
  '.vault-token',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ecdsa_sk',
  'id_ed25519',
  'id_ed25519_sk',
  'shadow-',
  'master.key',
  '.envrc',
  '.npmrc',
  '.yarnrc.yml',
]);

const secretFolder =
  /\/\.(?:ssh|aws|gnupg|azure|password-store|config\/gcloud|config\/op|local\/share\/keyrings|mozilla|thunderbird)(?:\/|$)|\/library\/keychains(?:\/|$)/;

const secretPath =
  /^\/etc\/(?:g?shadow-?|sudoers(?:\.d\/.*)?|ssh\/ssh_host_[a-z0-9]+_key|krb5\.keytab|ssl\/private\/.*)$|^\/proc\/[^/]+\/(?:environ|mem)$|\/\.docker\/config\.json$|\/\.kube\/config$|\/\.config\/gh\/hosts\.yml$|\/\.cargo\/credentials(?:\.toml)?$|\/\.terraform\.d\/credentials\.tfrc\.json$|^\/run\/secrets\/|^\/var\/run\/secrets\//;

const openInSecretFolder = /\/\.ssh\/(?:known_hosts|[^/]+\.pub)$/;

/** Whether reading the file shows a credential: private keys, `.env`, cloud and package credentials. */
export const isSecretFile = (path: string): boolean => {
  const lower = path.toLowerCase();
  if (openInSecretFolder.test(lower)) return false;
  if (secretFolder.test(lower) || secretPath.test(lower)) return true;
  const name = baseName(lower);
  if (secretNames.has(name) || keyFile.test(name)) return true;
  if (/^\.env(?:\..+|-.+|)$/.test(name)) return !sampleEnvironment.test(name);
  if (/^credentials|secret/.test(name)) return !sourceFile.test(name) && name !== 'secrets';
  return false;
};

const secretSamples = [
  '.env',
  '.env.local',
  '.env.production',
  'id_rsa',
  'id_ed25519',
  'id_ecdsa',
  'server.pem',
  'server.key',
  '.netrc',
  '.pgpass',
  '.npmrc',
  '.git-credentials',
  'credentials',
  'credentials.json',
  'secrets.yml',
];

const bearsName = (pattern: string): boolean => pattern.replace(/[*?[\]]/g, '').length >= 2;

/** Whether a pattern that aims at such names could match a secret. */
export const couldBeSecret = (pattern: string): boolean => {
  const directory = knownDirectory(pattern);
  if (isSecretFile(`${directory}/x`) && secretFolder.test(`${directory.toLowerCase()}/`)) return true;
  const name = baseName(pattern);
  const folders = pattern
    .split('/')
    .slice(0, -1)
    .filter((segment) => isPattern(segment) && bearsName(segment));
  if (folders.some((folder) => ['.ssh', '.aws', '.gnupg'].some((secret) => couldMatchName(folder, secret))))
    return true;
  if (couldMatchPath(pattern, '/etc/shadow')) return true;
  if (!isPattern(name)) return isSecretFile(`/${name}`);
  return (
    bearsName(name) &&
    secretSamples.some((sample) => couldMatchName(name, sample)) &&
    !/^\*\.\w+$/.test(name.replace(/^\*\.(?:pem|key|env)$/, ''))
  );
};

const systemRoots = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/srv',
  '/sys',
  '/usr',
  '/var',
  '/home',
  '/Users',
  '/System',
  '/Library',
  '/Applications',
  '/Volumes',
  '/private',
  '/cores',
  '/mnt',
  '/media',
  '/nix',
  '/snap',
  '/data',
  '/etc/nginx',
  '/lost+found',
];

const systemTrees = [
  '/bin',
  '/boot',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/sbin',
  '/System',
  '/Library',
  '/proc',
  '/sys',
  '/dev',
  '/usr/bin',
  '/usr/sbin',
  '/usr/lib',
  '/usr/lib64',
  '/usr/share',
  '/usr/include',
  '/usr/libexec',
  '/var/lib',
  '/var/log',
  '/var/cache',
  '/var/spool',
];

/** Whether the path belongs to the operating system. */
export const isSystemPath = (path: string): boolean => systemTrees.some((tree) => isWithin(path, tree));

const systemChildren = ['/etc', '/usr', '/var', '/boot', '/Library', '/System'];

const homeTreasures = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.config',
  '.local',
  '.local/share',
  '.kube',
  '.mozilla',
  'Documents',
  'Desktop',
  'Downloads',
  'Pictures',
  'Library',
  'src',
  'projects',
  'work',
  'code',
  'repos',
  'dev',
  '.git',
];

const temporaryRoots = ['/tmp', '/var/tmp', '/dev/shm', '/var/folders'];

/** Below a directory for temporary files. */
export const isTemporary = (path: string): boolean => temporaryRoots.some((root) => isBelow(path, root));

/** Every directory whose loss is a catastrophe. */
const treasures = (context: ShellContext): string[] => [
  '/',
  ...systemRoots,
  context.home,
  parentOf(context.home),
  context.root,
  `${context.root}/.git`,
  ...homeTreasures.map((name) => `${context.home}/${name}`),
];

/** Why deleting a directory with everything in it would be a catastrophe; undefined when it would not. */
export const treasureAt = (path: string, context: ShellContext): string | undefined => {
  if (path === '/') return 'the file system root';
  if (path === context.home) return 'the home directory';
  if (path === context.root) return 'the project root';
  if (path === `${context.root}/.git` || /\/\.git$/.test(path)) return 'the git history';
  if (isWithin(context.home, path)) return 'a parent of the home directory';
  if (isWithin(context.root, path)) return 'a parent of the project';
  if (isTemporary(path)) return undefined;
  if (systemRoots.includes(path)) return 'a system directory';
  if (systemChildren.includes(parentOf(path)) && !isTemporary(path) && path !== '/var/tmp') return 'a system directory';
  if (systemTrees.includes(path)) return 'a system directory';
  if (/^\/(?:home|Users)\/[^/]+$/.test(path)) return 'a home directory';
  if (homeTreasures.some((name) => path === `${context.home}/${name}`) && !isWithin(path, context.root))
    return 'a directory of the home';
  return undefined;
};

const onlyWildcards = /^(?:\*+|\.\*|\?\*|\*\?|\.\?\*|\.\[!\.\]\*|\.\[\^\.\]\*|\*\*|\*\.\*|\[!\.\]\*)$/;

/** Whether a pattern takes everything in its directory. */
export const takesAll = (pattern: string): boolean => onlyWildcards.test(baseName(pattern));

/** The same for a pattern: it names such a directory, or everything in one. */
export const treasureMatching = (pattern: string, context: ShellContext): string | undefined => {
  const name = baseName(pattern);
  if (onlyWildcards.test(name)) {
    const parent = parentOf(pattern);
    if (!isPattern(parent)) {
      if (name === '.*' && parent === context.root) return 'the git history';
      const why = treasureAt(parent, context);
      if (why !== undefined) return `everything in ${why}`;
    } else if (parentsMatch(parent, context)) return 'everything in a protected directory';
  }
  const found = treasures(context).find((treasure) => couldMatchPath(pattern, treasure));
  return found === undefined || isTemporary(pattern)
    ? undefined
    : (treasureAt(found, context) ?? 'a protected directory');
};

const parentsMatch = (pattern: string, context: ShellContext): boolean =>
  !isTemporary(pattern) && treasures(context).some((treasure) => couldMatchPath(pattern, treasure));

const startupFile =
  /^\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|z(?:shrc|profile|shenv|login|logout)|cshrc|tcshrc|kshrc|inputrc|xinitrc|xprofile|xsession(?:rc)?|pam_environment|gitconfig|vimrc|exrc|emacs|tmux\.conf|screenrc|gdbinit|pythonrc|psqlrc|irbrc|pryrc|npmrc|curlrc|wgetrc|netrc|envrc|condarc|Rprofile|mailcap|forward)$/;

const startupFolder =
  /\/(?:\.ssh|\.config\/(?:autostart|systemd|fish|git|nvim|zsh)|\.local\/share\/systemd|\.local\/bin|bin|Library\/LaunchAgents|\.git\/hooks|\.oh-my-zsh|\.zsh|\.emacs\.d|\.vim|\.gnupg|\.config\/environment\.d|\.bashrc\.d|\.profile\.d)(?:\/|$)/;

const systemStartup =
  /^\/(?:etc\/(?:cron[^/]*|profile(?:\.d)?|bash\.bashrc|bashrc|zsh[^/]*|zshrc|environment|init\.d|rc[^/]*|systemd|sudoers(?:\.d)?|pam\.d|ld\.so\.(?:preload|conf(?:\.d)?)|xdg\/autostart|passwd|g?shadow|group|ssh|hosts|inittab|udev|modules(?:-load\.d|\.d)?|apt\/apt\.conf\.d|update-motd\.d|logrotate\.d|security|crontab)|var\/spool\/(?:cron|at)[^/]*|Library\/Launch(?:Agents|Daemons)|usr\/(?:local\/)?s?bin|usr\/lib\/systemd|lib\/systemd|s?bin)(?:\/|$)/;

/** Whether something written there runs later by itself: shell start-up, cron, units, keys, hooks. */
export const runsLater = (path: string, context: ShellContext): boolean => {
  if (systemStartup.test(path)) return true;
  if (/\/\.git\/(?:hooks(?:\/|$)|config$)/.test(path)) return true;
  if (isWithin(path, context.root) && context.root !== context.home) return false;
  if (isTemporary(path)) return false;
  return startupFile.test(baseName(path)) || startupFolder.test(path);
};

/** Representative files that run later, for patterns. */
export const laterSamples = (context: ShellContext): string[] =>
  ['.bashrc', '.profile', '.zshrc', '.bash_profile', '.ssh/authorized_keys', '.ssh/config'].map(
    (name) => `${context.home}/${name}`,
  );

const rawDevice =
  /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|md|mapper\/|loop|mem$|kmem$|port$|nbd|sr|fd\d+$(?<!\/fd\/))/;

export type DeviceClass = 'harmless' | 'raw' | 'terminal' | 'network' | 'own-terminal' | 'kernel';

/** What kind of special file a path names, if any. */
export const deviceAt = (path: string): DeviceClass | undefined => {
  if (/^\/dev\/(?:null|zero|stdout|stderr|stdin|full|u?random|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/.test(path))
    return 'harmless';
  if (/^\/dev\/(?:tcp|udp)\//.test(path)) return 'network';
  if (/^\/dev\/(?:pts\/.*|tty[A-Za-z]*\d.*|console|vcs.*)$/.test(path)) return 'terminal';
  if (path === '/dev/tty') return 'own-terminal';
  if (rawDevice.test(path)) return 'raw';
  if (/^\/proc\/(?:sysrq-trigger|sys\/|\d+\/mem)|^\/sys\//.test(path)) return 'kernel';
  return undefined;
};

const readableAnywhere =
  /^\/(?:dev\/(?:null|zero|u?random|stdin|fd\/\d+)|etc\/(?:os-release|lsb-release|hostname|debian_version|timezone|issue)|proc\/(?:cpuinfo|meminfo|version|uptime|loadavg|stat))$/;

/** Files outside the project that say nothing private. */
export const isPublicFile = (path: string): boolean => readableAnywhere.test(path);
