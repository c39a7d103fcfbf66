/** A repository's directories for hookwise, the second one of older copies. */
export const ownDirectories = ['.hookwise', '.captain-hook'] as const;

/** Whether a file is hookwise's own text, and so judged strictly; its derived indexes hold nothing to read. */
export const isRules = (path: string): boolean => /(?:^|\/)\.(?:hookwise|captain-hook)\/(?!\.index\/)/.test(path);
