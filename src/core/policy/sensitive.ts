import type { GlobRule, SensitivePaths } from '../model/policy.ts';

const rules = (globs: readonly string[]): readonly GlobRule[] => globs.map((glob) => ({ glob, scope: 'builtin' }));

/** Writing these asks, whatever the role; single entries can be downgraded. */
const askWrite = [
  '.claude/**',
  '.hookwise/**',
  '.captain-hook/**',
  '.env*',
  '**/.env*',
  '.git/hooks/**',
  '**/secrets/**',
  '~/.claude/**',
  '~/.config/**',
];

/** Files that say what agents, the host and the gate may do. No repository can downgrade these. */
export const protectedGlobs: readonly GlobRule[] = rules([
  '.hookwise/**',
  '.captain-hook/**',
  '.claude/**',
  '.mcp.json',
  '.git/hooks/**',
  '.git/config',
  '~/.claude/**',
  '~/.claude.json',
  '~/.config/hookwise/**',
  '~/.local/state/hookwise/**',
]);

/** Files outside the project that something runs or obeys later: shells, schedulers, session and service managers. */
export const persistGlobs: readonly GlobRule[] = rules([
  '~/.{bashrc,bash_profile,bash_login,bash_logout,bash_aliases,profile,inputrc,kshrc,cshrc,tcshrc,login,logout}',
  '~/.{zshrc,zshenv,zprofile,zlogin,zlogout,xprofile,xinitrc,xsession,xsessionrc,pam_environment}',
  '~/.{zsh,bashrc.d,bash_completion.d,oh-my-zsh}/**',
  '~/.config/{fish,zsh,autostart,systemd,environment.d,git,nvim,powershell}/**',
  '~/.{vimrc,nvimrc,emacs,tmux.conf,screenrc,gdbinit,lldbinit,pythonrc,irbrc,pryrc,psqlrc,sqliterc,Rprofile}',
  '~/.{vim,emacs.d}/**',
  '~/.local/share/{systemd,applications,dbus-1}/**',
  '~/.ssh/**',
  '~/.gitconfig',
  '~/.{npmrc,yarnrc,yarnrc.yml,bunfig.toml,gemrc,condarc}',
  '~/.config/pip/**',
  '~/.pip/**',
  '~/.cargo/{config,config.toml,env}',
  '~/.m2/settings.xml',
  '~/.gradle/{init.gradle,init.gradle.kts,gradle.properties}',
  '~/.gradle/init.d/**',
  '~/{bin,.local/bin,.cargo/bin,go/bin,.deno/bin,.bun/bin}/**',
  '~/Library/{LaunchAgents,LaunchDaemons,Services}/**',
  '~/.vscode/**',
  '~/.config/Code/User/**',
  '/etc/**',
  '/private/etc/**',
  '/Library/{LaunchAgents,LaunchDaemons,StartupItems}/**',
  '/var/{spool/cron,at,spool/at}/**',
  '/private/var/at/**',
  '/usr/lib/{cron,systemd}/**',
  '/lib/systemd/**',
  '/run/systemd/**',
  '/{bin,sbin}/**',
  '/usr/{bin,sbin}/**',
  '/usr/local/{bin,sbin,etc,lib}/**',
  '/opt/**/bin/**',
  '/opt/homebrew/**',
]);

/** Reading these is refused: they are there to hold keys, tokens and passwords. */
const denyRead = [
  '**/.env',
  '**/.env.*',
  '**/*.pem',
  '**/*.key',
  '**/credentials*',
  '**/*secret*',
  '~/.ssh/**',
  '~/.aws/**',
  '~/.config/gcloud/**',
  '/**/.env',
  '/**/.env.*',
  '/**/id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}',
  '/**/*.{p12,pfx,jks,keystore,kdbx,ppk}',
  '/**/{.netrc,_netrc,.pgpass,.git-credentials,.vault-token,.vault_pass*}',
  '/**/.kube/config',
  '/**/.docker/config.json',
  '~/.{pypirc,my.cnf,s3cfg,boto}',
  '~/.config/{gh/hosts.yml,git/credentials,rclone/rclone.conf,hub}',
  '~/.config/{op,sops,doctl,containers/auth.json}/**',
  '~/.{gnupg,azure,oci,password-store,age}/**',
  '~/.cargo/credentials*',
  '~/.gem/credentials',
  '~/.terraform.d/credentials.tfrc.json',
  '~/.composer/auth.json',
  '~/.claude/.credentials.json',
  '~/.codex/auth.json',
  '~/.config/hookwise/config.yml',
  '~/.local/state/hookwise/**',
  '~/.local/share/{keyrings,kwalletd}/**',
  '~/Library/Keychains/**',
  '~/.mozilla/**',
  '~/.config/{google-chrome,chromium,BraveSoftware}/**',
  '~/Library/Application Support/{Google/Chrome,Firefox}/**',
  '/{home,Users}/*/.{ssh,aws,gnupg,azure}/**',
  '/{home,Users}/*/.config/gcloud/**',
  '/root/.{ssh,aws,gnupg,azure}/**',
  '/root/.config/gcloud/**',
  '/etc/{shadow,shadow-,gshadow,gshadow-,sudoers}',
  '/etc/sudoers.d/**',
  '/etc/ssl/private/**',
  '/etc/ssh/ssh_host_*_key',
  '/proc/*/{environ,mem,auxv}',
  '/proc/*/task/*/{environ,mem,auxv}',
  '/dev/{mem,kmem}',
  '/run/secrets/**',
  '/var/run/secrets/**',
];

/** Reading these asks: they often hold a token beside harmless settings. */
const askRead = [
  '**/*.env',
  '**/.envrc',
  '**/secrets/**',
  '**/.htpasswd',
  '**/service-account*.json',
  '**/terraform.tfstate*',
  '~/.{npmrc,yarnrc.yml,gemrc,claude.json}',
  '~/.m2/settings.xml',
  '~/.gradle/gradle.properties',
  '~/.nuget/NuGet/NuGet.Config',
  '~/.{bash_history,zsh_history,python_history,node_repl_history,psql_history,mysql_history}',
  '~/.local/share/fish/fish_history',
];

const samples = '{example,sample,template,dist,defaults}';
const sourceAndText =
  '{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,rb,go,rs,java,kt,c,h,cc,cpp,hpp,cs,php,swift,scala,ex,exs,' +
  'md,mdx,rst,html,css,scss,vue,svelte,proto,graphql,snap}';

/** Not a credential after all: sample files, and source or documentation that only carries such a word in its name. */
const exceptRead = [
  `**/.env.${samples}`,
  `/**/.env.${samples}`,
  `**/credentials*.${sourceAndText}`,
  `**/*secret*.${sourceAndText}`,
  `**/secrets/**/*.${sourceAndText}`,
];

/** The sensitive paths that hold without any configuration. */
export const defaultSensitivePaths: SensitivePaths = {
  askWrite: rules(askWrite),
  denyRead: rules(denyRead),
  askRead: rules(askRead),
  exceptRead: rules(exceptRead),
};

/** From the least to the most authority. A repository's word counts only as far as it is trusted. */
const authority: Readonly<Record<GlobRule['scope'], number>> = { builtin: 0, role: 0, project: 1, user: 2, org: 3 };

const isAbsolute = ({ glob }: GlobRule): boolean => glob.startsWith('/') || glob.startsWith('~');

/**
 * Whether an entry of `exceptRead` may lift this entry of `denyRead` or `askRead`: nobody lifts what a broader scope
 * restricts, and a pattern of the project says nothing about `~/.ssh`.
 */
export const mayExcept = (restriction: GlobRule, exception: GlobRule): boolean =>
  authority[exception.scope] >= authority[restriction.scope] && (isAbsolute(exception) || !isAbsolute(restriction));
