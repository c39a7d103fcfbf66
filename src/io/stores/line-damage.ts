import type { RulesFile } from './rules-location.ts';

/** What git leaves in a file of both branches: the lines of each are there as well, so nothing is lost. */
const conflictMark = /^(?:[<>|]{7}(?: .*)?|={7})\r?$/s;
const namesRestriction = /"decision"\s*:\s*"(?:deny|ask)"/;
const namesAllow = /"decision"\s*:\s*"allow"/;

/**
 * Whether a line that cannot be used may have been a deny or an ask: then nothing is known of what it forbade. In a file
 * of denies or asks every such line may; in one for all verdicts every line that does not call itself an allow; in a
 * file of allows only one that calls itself a deny or an ask. In a stored text the quotes of such words are escaped.
 */
export const mayRestrict = (line: Buffer, { verdict }: RulesFile): boolean => {
  const text = line.toString('utf8');
  if (conflictMark.test(text)) return false;
  if (namesRestriction.test(text)) return true;
  if (verdict === undefined) return !namesAllow.test(text);
  return verdict !== 'allow';
};
