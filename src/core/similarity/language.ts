import { canonicalCommand } from '../shell/canonical.ts';
import { escapeTokens } from '../shell/canonical-filters.ts';
import type { ShellReading } from '../shell/model.ts';
import { type Shell, shell } from '../shell/shell.ts';
import { type NoShape, type Shape, shapeOf } from './shape.ts';
import type { SlotPlace } from './slot-kinds.ts';

/** Shell understanding with what memory needs of it: one text for equal commands, and the shape of a command. */
export interface ShellLanguage extends Shell {
  /** The text under which a command is remembered: one for all its spellings. */
  readonly canonical: (
    text: string,
    place: { readonly reading: ShellReading; readonly cwd: string; readonly root: string },
  ) => string;
  /** The command as it is spelled, with what only looks like an abstraction escaped. */
  readonly verbatim: (text: string) => string;
  /** The shape of a command as it was given, or as it is stored. */
  readonly shape: (text: string, place: SlotPlace & { readonly user: string }) => Shape | NoShape;
}

/** Only the blanks that a shell skips: any other space belongs to a word. An escaped last blank stays. */
const withoutBlanks = (text: string): string => text.replace(/^[ \t\n]+/, '').replace(/(?<![\\ \t\n])[ \t\n]+$/, '');

/** A count or a pattern that was abstracted, in place of which any other could stand. */
const filled = (text: string): string => text.replaceAll(/(?<= )<ANY:(?:number|text)>(?= |$)/g, '1');

export const shellLanguage: ShellLanguage = {
  ...shell,
  canonical: canonicalCommand,
  verbatim: (text) => escapeTokens(withoutBlanks(text)),
  shape: (text, place) => shapeOf(shell.read(filled(text), place), place),
};
