import { ai } from './detectors/ai.ts';
import { chat } from './detectors/chat.ts';
import { ci } from './detectors/ci.ts';
import { cloud } from './detectors/cloud.ts';
import { databases } from './detectors/databases.ts';
import { forges } from './detectors/forges.ts';
import { keys } from './detectors/keys.ts';
import { mail } from './detectors/mail.ts';
import { observability } from './detectors/observability.ts';
import { payments } from './detectors/payments.ts';
import { registries } from './detectors/registries.ts';
import type { Family } from './detectors/rows.ts';

/** Every family of known credentials. */
export const families: readonly Family[] = [
  ai,
  chat,
  ci,
  cloud,
  databases,
  forges,
  keys,
  mail,
  observability,
  payments,
  registries,
];

/** One kind of credential: the literals that announce it and the pattern it has there. */
export interface Detector {
  readonly id: string;
  /** A `mark` stands inside its token, the other two start a word. */
  readonly form: 'token' | 'assigned' | 'mark';
  readonly keywords: readonly string[];
  /** RegExp source; for `token` and `assigned` only of what follows the keyword. Group 1, if any, is the secret, and ends the pattern. */
  readonly body: string;
  /** How many characters before the keyword the token starts. */
  readonly offset: number;
}

const fromFamily = ({ tokens = [], assigned = [], marked = [] }: Family): Detector[] => [
  ...tokens.map(
    ([id, prefixes, body]): Detector => ({ id, form: 'token', keywords: prefixes.split(' '), body, offset: 0 }),
  ),
  ...assigned.map(
    ([id, names, body]): Detector => ({ id, form: 'assigned', keywords: names.split(' '), body, offset: 0 }),
  ),
  ...marked.map(([id, mark, offset, body]): Detector => ({ id, form: 'mark', keywords: [mark], body, offset })),
];

/** The detector table, one flat list. */
export const detectorsOf = (list: readonly Family[]): Detector[] => list.flatMap(fromFamily);

const escapeLiteral = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const eitherOf = (literals: readonly string[]): string => `(?:${literals.map(escapeLiteral).join('|')})`;

// The rest of a name, what closes it, an operator and what opens the value.
const assignment = '[\\w.-]{0,40}\\\\?["\'\\]]{0,2}\\s{0,3}(?::=|=>|=|:)\\s{0,3}\\\\?["\']?';

/** The whole pattern of a detector: sticky, so that it only looks where its keyword was found. */
export const compileDetector = ({ form, keywords, body }: Detector): RegExp => {
  switch (form) {
    case 'token':
      return new RegExp(eitherOf(keywords) + body, 'y');
    case 'assigned':
      return new RegExp(`${eitherOf(keywords)}${assignment}(${body})`, 'iy');
    case 'mark':
      return new RegExp(body, 'y');
  }
};
