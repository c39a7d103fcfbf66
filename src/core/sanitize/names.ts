import { kindOf, kinds } from './characters.ts';
import { hintTables, nextTrail } from './survey.ts';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

// A name that has one of these as a word holds a credential.
const credentialWords = setOf(
  'password passwd passwort passphrase passcode pwd pass secret token credential credentials cred creds ' +
    'apikey apitoken accesskey secretkey privatekey authtoken accesstoken authkey accountkey sharedkey storepass keypass ' +
    'storepassword keypassword sshpass dbpass userpass rootpass adminpass smtppass mailpass ftppass jwt bearer authorization sessionid sharedaccesskey mypwd pw psk otp pat sastoken masterkey',
);

// `key` alone names too much; with one of these in front it is a credential.
const keyQualifiers = setOf(
  'api access secret private auth encryption encrypt signing sign master account client shared license deploy session ' +
    'service role consumer storage write admin app application subscription webhook anon hmac aes crypto cipher license ' +
    'functions host ingest integration sdk server user project org team license registry relay root routing sas ssh ' +
    'tls ssl wrapping jwt hash gpg pgp bot developer dev',
);

const harmlessKeyQualifiers = setOf(
  'public primary sort foreign partition cache index unique group object hot shortcut map lookup composite range natural ' +
    'surrogate registry_ publishable',
);

// What comes last says that the name is about a credential, not one itself.
const aboutWords = setOf(
  'file files path paths dir directory folder url urls uri uris endpoint endpoints host hostname name names id ids ttl expiry ' +
    'expires expiration exp length len size count type types kind lifetime timeout limit limits alg algorithm enabled disabled ' +
    'policy policies region arn version prefix suffix ref refs format mode required field fields header headers env var ' +
    'manager provider class bits max min rotation rules rule hint regex pattern budget usage stdin prompt label title ' +
    'description column pub public ext cmd command script source src service store ring agent user username email date time ' +
    'at age days hours seconds scope scopes audience issuer location engine backend vault store storage plugin helper validator ' +
    'reset strength check test tests form input page view component module',
);

const aboutFirstWords = setOf(
  'max min num total count public pub is has with without show hide use enable disable allow require',
);

/** The words of a name, in lower case: `dbPassword`, `DB_PASSWORD` and `db-password` have the same two. */
const wordsOf = (name: string): string[] => {
  const words: string[] = [];
  let start = 0;
  let before = 0;
  for (let at = 0; at <= name.length; at += 1) {
    const kind = at < name.length ? kindOf(name.charCodeAt(at)) : 0;
    const isInside = (kind & kinds.alnum) !== 0;
    const isHump = (kind & kinds.upper) !== 0 && (before & (kinds.lower | kinds.digit)) !== 0;
    if ((!isInside || isHump) && at > start) words.push(name.slice(start, at).toLowerCase());
    if (!isInside) start = at + 1;
    else if (isHump) start = at;
    before = kind;
  }
  return words;
};

// Every credential word holds one of the parts, or is `pw`.
const mayName = (name: string, parts: Uint8Array): boolean => {
  let trail = 0;
  for (let at = 0; at < name.length; at += 1) {
    trail = nextTrail(trail, name.charCodeAt(at));
    if ((at > 1 && parts[trail] === 1) || (at > 0 && (trail & 0x3ff) === pwTrail)) return true;
  }
  return false;
};

const pwTrail = (16 << 5) | 23;

// `PGPASSWORD`, `githubtoken`
const credentialEnd =
  /(?:passw(?:or)?d|passphrase|secret|token|api_?key|credentials?|(?:private|secret|access|auth)key)$/;

const isCredentialWord = (word: string): boolean =>
  credentialWords.has(word) || (word.length > 7 && credentialEnd.test(word));

const isUpper = (name: string): boolean => /[A-Z]/.test(name) && !/[a-z]/.test(name);

const isKeyName = (words: readonly string[], name: string): boolean => {
  const at = words.lastIndexOf('key');
  if (at < 0) return false;
  const qualifier = words[at - 1];
  if (qualifier !== undefined && harmlessKeyQualifiers.has(qualifier)) return false;
  if (qualifier !== undefined && keyQualifiers.has(qualifier)) return true;
  return isUpper(name);
};

const isAuthName = (words: readonly string[], name: string): boolean =>
  words.at(-1) === 'auth' && (words.length > 1 || isUpper(name) || name.startsWith('_'));

// `PWD=/x` is the working directory; `pass=3` counts tests; `key=…` sorts.
const harmlessNames = setOf('PWD OLDPWD pass PASS pat PAT pw secrets Pass');

/** Whether what `name` is set to is a credential. `name` may be in any case and spelling. */
export const isCredentialName = (name: string): boolean => {
  if (!mayName(name, hintTables().names) || harmlessNames.has(name)) return false;
  const words = wordsOf(name);
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return false;
  if (words.length > 1 && (aboutWords.has(last) || aboutFirstWords.has(first))) return false;
  return words.some(isCredentialWord) || isKeyName(words, name) || isAuthName(words, name);
};

// Exactly these also when they are a query parameter, a form field or a JSON field.
const signatures = setOf('sig signature x-amz-signature x-goog-signature hmac sid sessionid session_id code_verifier');

/** Parameters of a URL that are credentials although their names say less. */
export const isCredentialParameter = (name: string): boolean =>
  signatures.has(name.toLowerCase()) || isCredentialName(name);

const credentialOptions = setOf('auth pass pw pwd passin passout oauth2-bearer creds cred');

/** Whether the value of an option (name without dashes) is a credential. */
export const isCredentialOption = (name: string): boolean => {
  const lower = name.toLowerCase();
  return credentialOptions.has(lower) || isCredentialName(name);
};

/** `Authorization` has a scheme before its credential, so it is read by itself. */
export const isValueName = (name: string): boolean => isCredentialName(name) && !/authorization$/i.test(name);

const isVocabulary = (word: string): boolean =>
  word === 'key' || word === 'db' || word === 'auth' || credentialWords.has(word) || keyQualifiers.has(word);

/** The same for an option with one dash: `-my-token` may as well be `-m` with a value glued to it. */
export const isShortCredentialOption = (name: string): boolean =>
  isCredentialOption(name) && wordsOf(name).every(isVocabulary);
