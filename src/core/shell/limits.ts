/** Shell text (without quoted here-documents and single-quoted data) above this many characters is unknown. */
export const maxShellCharacters = 10_000;

/** Texts above this size are not parsed at all. */
export const maxSourceCharacters = 1_048_576;

/** Nesting of syntax (lists, substitutions) that is followed. */
export const maxSyntaxDepth = 64;

/** Nesting of code inside code (`bash -c`, `eval`, wrappers, functions) that is followed. */
export const maxCodeDepth = 8;

/** Syntax nodes that are visited in one reading, nested code included. */
export const maxNodes = 250_000;

/** Words that one brace list, or one list of alternatives, may become. */
export const maxWords = 64;

/** Turns of a `for` loop over literal words that are read one by one. */
export const maxTurns = 8;

/** Nodes of work after which loops are read once and alternatives are no longer tried. */
export const softNodes = 20_000;
