import { join } from 'node:path';
import ts from 'typescript';

/** How a consumer's compiler may look packages up. */
export const resolutions = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
} as const;

export type Resolution = keyof typeof resolutions;

/** Type-checks a consumer's files, library declarations included, and says what is wrong. */
export const typeErrors = (
  directory: string,
  { files, resolution }: { readonly files: readonly string[]; readonly resolution: Resolution },
): readonly string[] => {
  const program = ts.createProgram(
    files.map((file) => join(directory, file)),
    {
      ...resolutions[resolution],
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      types: [],
      strict: true,
      noEmit: true,
    },
  );
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
};
