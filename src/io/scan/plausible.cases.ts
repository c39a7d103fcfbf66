/** A line of a file with one finding in `«»`: the file's name, the kind, whether it is likely to be a secret. */
export type PlausibleCase = readonly [file: string, kind: string, line: string, isLikely: boolean];

const random = 'aB3dE5fG7hJ9kL1mN2pQ';

export const plausibleCases: readonly PlausibleCase[] = [
  // What is known by its looks counts anywhere.
  ['a.ts', 'github-pat', `const a = «x${random}»;`, true],
  ['a.ts', 'private-key', '// «MIIEvQIBADANBgkqhkiG9w0BAQEFAASC»', true],

  // Code: a secret is a text in quotes.
  ['a.ts', 'assignment', "password = '«qX7_rain-Drop42»'", true],
  ['a.ts', 'assignment', 'password = «qX7_rain_Drop42»', false],
  ['a.py', 'assignment', 'self.password = «password_of_user»', false],
  ['a.ts', 'assignment', 'token = «lexer.current.token»', false],
  ['a.cs', 'assignment', 'var c = "Server=db;Password=«qX7rainDrop42»;"', true],
  ['a.go', 'assignment', 'url := `PGPASSWORD=«qX7rainDrop42» psql`', true],
  ['a.js', 'userinfo', '// see https://me:«qX7rainDrop42»@example.org', true],
  ['a.d.ts', 'field', 'password: «BinaryLike», options?: Options', false],
  ['a.ts', 'field', 'privateKey: «KeyObject»;', false],

  // Elsewhere a value needs no quotes.
  ['a.env', 'assignment', 'DB_PASSWORD=«qX7rainDrop42»', true],
  ['a.yml', 'field', 'password: «swordfish»', true],
  ['a.yml', 'field', 'password: «correcthorsebattery»', true],
  ['a.yml', 'field', 'token: «lambda»', false],
  ['a.yml', 'field', "token: '«NonExpressionParenEnd»'", false],
  ['a.md', 'assignment', 'token = «readToken(»input)', false],
  ['a.md', 'field', 'password: «TArg»<Input>', false],
  ['a.md', 'field', 'credentials: «config.credentials.current»', false],

  // Examples, references, words.
  ['a.env', 'assignment', 'API_KEY=«your-api-key-here»', false],
  ['a.env', 'assignment', 'API_KEY=«example1234567»', false],
  ['a.env', 'assignment', 'PASSWORD=«changeme»', false],
  ['a.env', 'assignment', 'PASSWORD=«xxxxxxxxxx»', false],
  ['a.env', 'assignment', 'PASSWORD=«abc»', false],
  ['a.yml', 'field', 'password: «{{vault.password1}}»', false],
  ['a.json', 'field', '"password": "«Password»"', false],
  ['a.json', 'field', '"password_hint": "«Bitte das Passwort eingeben»"', false],
  ['a.json', 'field', '"password": "«correct horse 7 battery»"', true],
  ['a.json', 'field', '"token": "«予期しないトークン1»"', false],
  ['a.h', 'field', 'STENCIL_PASS: «0x8803»', false],
  ['a.yml', 'field', 'STENCIL_KEY: «0x880300»', false],
  ['a.txt', 'assignment', 'auth = «1.3.6.1.5.5.7.3.2»', false],
  ['a.txt', 'assignment', 'password = «12345678»', true],
  ['a.txt', 'assignment', 'KEY_EXCHANGE_TOKEN = «1234567»', false],

  // Random text.
  ['a.ts', 'entropy', `const a = "«${random}»";`, true],
  ['a.ts', 'entropy', `[1]: «forEachChildInJSDocTag»,`, false],
  ['a.ts', 'entropy', 'chars = "«ABCDEFGHIJKLMNOPQRSTUVWXYZ012345»"', false],
  ['a.json', 'entropy', `"«noVueVForTemplateKeyOnChild»": {`, false],
  ['a.js', 'entropy', `A="«${'AGFzbQE7'.repeat(80)}»"`, false],
];
