/**
 * Which words of a command are data. A closed grammar: an option that a row does not name keeps the call from being
 * generalised at all, so that a new option can never ride along. What a row leaves out is exact text.
 */
export interface SlotRow {
  readonly programs: string;
  /** The operands that come first, as written: a subcommand and what belongs to it. Alternatives with `|`. */
  readonly sub?: string;
  /** Options without a value that change nothing about what is touched. */
  readonly flags?: string;
  /** Options whose value is part of the shape. */
  readonly values?: string;
  /** `option=kind`: options whose value is data. */
  readonly slots?: string;
  /** The kind of every operand; without it operands are exact text. */
  readonly operands?: string;
  /** `always`, or the options that make the call change its path operands. */
  readonly writes?: string;
  /** An option without which the row does not hold. */
  readonly needs?: string;
}
