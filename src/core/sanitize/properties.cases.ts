/** A text with a secret in it, in base64. */
const base64 = (text: string): string => btoa(`the key is ${text} and nothing else is in here`);
/** Every character percent-encoded. */
export const percent = (text: string): string =>
  [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

/** Every place in which any password is a secret. */
export const slotForms: readonly ((secret: string) => string)[] = [
  (secret) => `curl -H "Authorization: Bearer ${secret}" h`,
  (secret) => `curl -H 'X-Api-Key: ${secret}' h`,
  (secret) => `curl -H "Cookie: session=${secret}" h`,
  (secret) => `curl -u me:${secret} h`,
  (secret) => `git clone https://me:${secret}@h/r.git`,
  (secret) => `psql postgres://me:${secret}@db:5432/app`,
  (secret) => `curl "h/x?access_token=${secret}&page=2"`,
  (secret) => `tool --password ${secret} --verbose`,
  (secret) => `tool --password="${secret}" --verbose`,
  (secret) => `ssh h 'mysql -uroot -p${secret} app'`,
  (secret) => `sshpass -p '${secret}' ssh h`,
  (secret) => `DB_PASSWORD=${secret} npm start`,
  (secret) => `docker run -e "API_TOKEN=${secret}" img`,
  (secret) => `curl -d '{"user": "me", "password": "${secret}"}' h`,
  (secret) => `curl -d "{\\"client_secret\\": \\"${secret}\\"}" h`,
  (secret) => `cat > .env <<'EOF'\nPORT=80\nAPI_KEY=${secret}\nEOF`,
  (secret) => `cat > c.yml <<EOF\ndb:\n  password: ${secret}\nEOF`,
  (secret) => `echo "machine h login me password ${secret}" > ~/.netrc`,
  (secret) => `x=$(curl -u "me:${secret}" h)`,
  (secret) => `echo ${btoa(`password=${secret} and some words to fill it up`)}`,
  (secret) => `open "h/?next=https%3A%2F%2Fx%2F%3Ftoken%3D${percent(secret)}"`,
];

/** Every place in which a known token is a secret. */
export const tokenForms: readonly ((token: string) => string)[] = [
  (token) => `echo ${token}`,
  (token) => `grep -r "${token}" .`,
  (token) => `git commit -m 'use ${token} now'`,
  (token) => `cat <<EOF\n${token}\nEOF`,
  (token) => `{"note":"line\\n${token}\\nline"}`,
  (token) => `echo ${base64(token)} | base64 -d`,
  (token) => `open "h/?q=${percent(` ${token} `)}"`,
  (token) => `git clone https://${token}@h/r.git`,
];
