const alphabets: Record<string, string> = {
  A: 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzCbDcXwZ',
  B: 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz+bDcXw/',
  W: 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzCbDcXwZ',
  H: '3f0a9c8e1d7b2465',
  UH: '3F0A9C8E1D7B2465',
  U: 'A3B5C7D9E1F2G4H6J8K0LMNPQRSTUVWXYZ',
  L: 'a3b5c7d9e1f2g4h6j8k0lmnpqrstuvwxyz',
  D: '3141592653589793238',
  Z: 'A3B5C7D2E4F6GHJKLMNPQRSTUVWXYZ',
  l: 'qwxzvkjpgtrb',
};

const generated = (alphabet: string, length: number): string =>
  Array.from({ length }, (_, index) => alphabet.charAt((index * 7 + length) % alphabet.length)).join('');

/** Turns `ghp_{A36}` into a token, the same one every time. */
export const expand = (sample: string): string =>
  sample
    .replace(/\{UUID\}/g, '{H8}-{H4}-{H4}-{H4}-{H12}')
    .replace(/\{(UH|[A-Za-z])(\d+)\}/g, (_, set: string, length: string) =>
      generated(alphabets[set] ?? '', Number(length)),
    );
