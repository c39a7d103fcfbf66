/** Which part of a value is the secret. */
export type Part = 'whole' | 'after-colon' | 'after-comma' | 'after-percent' | 'after-slash' | 'after-equals' | 'pairs';

/** An option that is a credential for some programs only. */
export interface OptionRule {
  readonly programs: readonly string[];
  /** One of these words must stand between the program and the option. */
  readonly with?: readonly string[];
  readonly options: readonly string[];
  /** `glued`: `-pVALUE`; `next`: `-p VALUE`; `either`: both. */
  readonly form: 'glued' | 'next' | 'either';
  readonly part: Part;
  /** Only the first one belongs to the program: another program follows. */
  readonly isOnce?: true;
}

const mysqlClients = [
  'mysql',
  'mysqldump',
  'mysqladmin',
  'mysqlimport',
  'mysqlcheck',
  'mysqlshow',
  'mysqlslap',
  'mysqlpump',
  'mysqlbinlog',
  'mariadb',
  'mariadb-dump',
  'mariadb-admin',
  'mycli',
  'mytop',
  'xtrabackup',
  'mariabackup',
];
const containerClients = [
  'docker',
  'podman',
  'nerdctl',
  'buildah',
  'helm',
  'oras',
  'crane',
  'skopeo',
  'az',
  'oc',
  'cf',
  'argocd',
  'singularity',
];
const ldapClients = [
  'ldapsearch',
  'ldapadd',
  'ldapmodify',
  'ldapdelete',
  'ldappasswd',
  'ldapwhoami',
  'ldapcompare',
  'ldapmodrdn',
];

/** Options whose meaning depends on the program, as data. */
export const optionRules: readonly OptionRule[] = [
  { programs: mysqlClients, options: ['-p'], form: 'glued', part: 'whole' },
  { programs: ['sshpass'], options: ['-p'], form: 'either', part: 'whole', isOnce: true },
  {
    programs: ['mongo', 'mongosh', 'mongodump', 'mongorestore', 'mongoexport', 'mongoimport', 'cqlsh', 'rdesktop'],
    options: ['-p'],
    form: 'either',
    part: 'whole',
  },
  { programs: containerClients, with: ['login'], options: ['-p'], form: 'either', part: 'whole' },
  { programs: ['az'], with: ['create-for-rbac', 'login'], options: ['-p'], form: 'next', part: 'whole' },
  {
    programs: ['oras', 'skopeo', 'buildah', 'podman', 'crane'],
    options: ['--creds', '--src-creds', '--dest-creds'],
    form: 'either',
    part: 'after-colon',
  },
  {
    programs: ['curl', 'curlie', 'wcurl'],
    options: ['-u', '--user', '-U', '--proxy-user'],
    form: 'either',
    part: 'after-colon',
  },
  { programs: ['curl', 'curlie'], options: ['-b', '--cookie'], form: 'either', part: 'pairs' },
  { programs: ['http', 'https', 'xh', 'xhs'], options: ['-a', '--auth'], form: 'either', part: 'after-colon' },
  { programs: ['ab', 'hey', 'wrk'], options: ['-A', '-P', '-a'], form: 'next', part: 'after-colon' },
  { programs: ['redis-cli', 'valkey-cli', 'keydb-cli'], options: ['-a', '--pass'], form: 'next', part: 'whole' },
  { programs: ldapClients, options: ['-w'], form: 'either', part: 'whole' },
  { programs: ['lftp'], options: ['-u'], form: 'either', part: 'after-comma' },
  {
    programs: ['smbclient', 'rpcclient', 'smbmap', 'mount.cifs', 'net'],
    options: ['-U'],
    form: 'either',
    part: 'after-percent',
  },
  {
    programs: ['sqlplus', 'sqlldr', 'expdp', 'impdp'],
    options: ['sqlplus', 'sqlldr', 'expdp', 'impdp', '-L', '-S'],
    form: 'next',
    part: 'after-slash',
  },
  {
    programs: [
      'sqlcmd',
      'bcp',
      'osql',
      'isql',
      'ipmitool',
      'p4',
      'zip',
      'unzip',
      'zipcloak',
      'ssh-keygen',
      'mosquitto_pub',
      'mosquitto_sub',
    ],
    options: ['-P', '-N'],
    form: 'next',
    part: 'whole',
  },
  { programs: ['7z', '7za', '7zz', 'rar', 'unrar'], options: ['-p'], form: 'glued', part: 'whole' },
  { programs: ['plink', 'pscp', 'psftp'], options: ['-pw'], form: 'next', part: 'whole' },
  { programs: ['openssl'], options: ['-k', '-K', '-pass', '-passin', '-passout'], form: 'next', part: 'after-colon' },
  { programs: ['usermod', 'useradd'], options: ['-p'], form: 'next', part: 'whole' },
  {
    programs: ['security'],
    with: ['add-generic-password', 'add-internet-password', 'unlock-keychain', 'import'],
    options: ['-w', '-p', '-P'],
    form: 'next',
    part: 'whole',
  },
  { programs: ['xfreerdp', 'wfreerdp', 'xfreerdp3'], options: ['/p:'], form: 'glued', part: 'whole' },
  { programs: ['snmpwalk', 'snmpget', 'snmpset'], options: ['-A', '-X'], form: 'next', part: 'whole' },
  { programs: ['influx'], options: ['-t', '-p'], form: 'next', part: 'whole' },
  {
    programs: ['kubectl', 'oc', 'k'],
    with: ['secret'],
    options: ['--from-literal'],
    form: 'either',
    part: 'after-equals',
  },
  {
    programs: ['gh', 'glab'],
    with: ['secret', 'variable'],
    options: ['-b', '--body', '-v', '--value'],
    form: 'either',
    part: 'whole',
  },
  {
    programs: ['aws'],
    with: ['put-parameter', 'put-secret-value', 'create-secret'],
    options: ['--value', '--secret-string'],
    form: 'either',
    part: 'whole',
  },
  { programs: ['ngrok'], options: ['authtoken', 'add-authtoken'], form: 'next', part: 'whole' },
  { programs: ['vault'], options: ['login'], form: 'next', part: 'whole' },
  { programs: ['ansible-vault'], with: ['encrypt_string'], options: ['encrypt_string'], form: 'next', part: 'whole' },
  { programs: ['vercel', 'doppler', 'expo', 'eas', 'stripe'], options: ['-t'], form: 'next', part: 'whole' },
];

/** Options that sound like a credential and take none for these programs. */
export const flagOptions: readonly { readonly programs: readonly string[]; readonly options: readonly string[] }[] = [
  {
    programs: [
      ...mysqlClients,
      'psql',
      'pg_dump',
      'pg_dumpall',
      'pg_restore',
      'pg_basebackup',
      'createdb',
      'dropdb',
      'createuser',
      'dropuser',
      'vacuumdb',
      'reindexdb',
      'clusterdb',
    ],
    options: ['password'],
  },
  { programs: ['docker', 'podman', 'nerdctl', 'buildah', 'pulumi', 'kubectl'], options: ['secret', 'secrets'] },
  { programs: ['mongod', 'mongos'], options: ['auth'] },
];

/** Every program of the tables above, to find out quickly that none is used. */
export const programsWithRules: ReadonlySet<string> = new Set(
  [...optionRules, ...flagOptions].flatMap((rule) => rule.programs),
);
