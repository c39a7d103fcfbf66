import { alnum, type Family, word } from './rows.ts';

// Three parts, or five with an encrypted content; the second of five may be empty.
const jwtBody =
  '[A-Za-z0-9_-]{8,256}\\.(?:[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+)?|\\.[A-Za-z0-9_-]{8,100}\\.[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{8,})';

/** Key material and tokens of open formats. PEM blocks are found by `pem.ts`. */
export const keys: Family = {
  tokens: [
    ['age-key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{50,}'],
    ['age-plugin-key', 'AGE-PLUGIN-', '[A-Z0-9]{2,20}-1[A-Z0-9]{20,}'],
    ['jwt', 'eyJ', jwtBody],
    ['paseto', 'v1.local. v2.local. v3.local. v4.local. v2.public. v4.public.', word(40)],
    ['openssh-key', 'b3BlbnNzaC1rZXktdjE', '[A-Za-z0-9+/=]{40,}'],
    ['macaroon', 'MDAxM MDAyM', '[A-Za-z0-9+/=_-]{80,}'],
    ['bitcoin-extended-key', 'xprv', alnum(100)],
    ['minisign-key', 'RWRTY0Iy', '[A-Za-z0-9+/=]{120,}'],
    ['jwk-private-part', '"d":"', '([A-Za-z0-9_-]{40,})'],
    ['vapid-jwt', 't=', '(eyJ[A-Za-z0-9_-]{8,400}\\.[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{8,})'],
    ['roblox-cookie', '_|WARNING:-DO-NOT-SHARE-THIS.', '[A-Za-z0-9.,_| -]{20,120}\\|_([A-F0-9]{60,})'],
  ],
  assigned: [
    ['rails-master-key', 'rails_master', '[a-f0-9]{32}(?![a-f0-9])'],
    ['wireguard-key', 'privatekey presharedkey wg_private', '[A-Za-z0-9+/]{43}='],
    ['ethereum-key', 'eth private_key deployer signer', '(?:0x)?[a-f0-9]{64}(?![A-Za-z0-9])'],
    ['apple-app-password', 'apple', '[a-z]{4}-[a-z]{4}-[a-z]{4}-[a-z]{4}(?![A-Za-z0-9-])'],
    ['steam-key', 'steam', '[A-F0-9]{32}(?![A-Za-z0-9])'],
    ['twitch-stream-key', 'stream_key', 'live_[0-9]{5,12}_[A-Za-z0-9]{28,32}'],
  ],
};
