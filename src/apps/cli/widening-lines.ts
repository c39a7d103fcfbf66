import { relative } from 'node:path';
import type { WideningLine } from '../../core/model/policy.ts';
import { largestSource, projectDirectory, readSource, type SourceState } from '../../io/config/sources.ts';
import type { BlobReading } from '../../io/project/git-blob.ts';
import { readOrigin } from '../../io/project/origin.ts';
import {
  lineDigest,
  locationFor,
  type Project,
  parseLine,
  type Surroundings,
  splitLines,
  untrustedLines,
} from '../compose.ts';

/** Every line of the repository that gives agents more than they would have without it, and is not trusted yet. */
export const wideningLines = (project: Project): WideningLine[] => {
  const { isTrusted } = project.trust;
  const ofRules = [
    ...untrustedLines(locationFor(project, { scope: 'project', here: false }), isTrusted),
    ...untrustedLines(locationFor(project, { scope: 'user', here: true }), isTrusted),
  ];
  const fromRoot = ({ source, ...line }: WideningLine): WideningLine => ({
    ...line,
    source: { ...source, file: relative(project.root.root, source.file) },
  });
  return [...project.policy.untrusted, ...ofRules.map(fromRoot)];
};

/** What a branch says, as digests; `failed` names what could not be read. */
export interface BranchDigests {
  readonly digests: ReadonlySet<string>;
  readonly failed: readonly string[];
}

/** The digests of the widening statements and allow lines that stand in a branch, which `read` reads. */
export const digestsInBranch = (
  project: Project,
  { surroundings, read }: { readonly surroundings: Surroundings; readonly read: (path: string) => BlobReading },
): BranchDigests => {
  const failed: string[] = [];
  const readOrNote = (path: string): Buffer | undefined => {
    const found = read(path);
    if (found.kind === 'failed') failed.push(`${path}: ${found.why}`);
    return found.kind === 'bytes' ? found.bytes : undefined;
  };
  const digests = new Set([
    ...policyDigests(project, { surroundings, readOrNote }),
    ...ruleDigests(project, readOrNote),
  ]);
  return { digests, failed };
};

type ReadOrNote = (path: string) => Buffer | undefined;

/** Compiles policy with the repository's files as they are in the branch, and nothing trusted. */
const policyDigests = (
  { root, places }: Project,
  { surroundings, readOrNote }: { readonly surroundings: Surroundings; readonly readOrNote: ReadOrNote },
): string[] => {
  const projectDir = projectDirectory(root.root);
  const origin = root.isRepository ? readOrigin(root.stateKey) : undefined;
  const own = `${root.root}/${projectDir}/`;
  const read = (path: string): SourceState => {
    if (!path.startsWith(own)) return readSource(path);
    const bytes = readOrNote(`${projectDir}/${path.slice(own.length)}`);
    if (bytes === undefined) return { kind: 'absent' };
    return bytes.length > largestSource ? { kind: 'unreadable', why: 'too large' } : { kind: 'bytes', bytes };
  };
  const policy = surroundings.loadCompiler()(
    {
      root: root.root,
      configDir: places.config,
      projectDir,
      remotes: origin === undefined ? [] : [`${origin.host}/${origin.org}`],
      isTrusted: () => false,
    },
    read,
  );
  return policy.untrusted.map(({ digest }) => digest);
};

const ruleDigests = (project: Project, readOrNote: ReadOrNote): string[] => {
  const location = locationFor(project, { scope: 'project', here: false });
  return location.files.flatMap((file) => {
    const bytes = readOrNote(relative(project.root.root, file.path));
    if (bytes === undefined) return [];
    return [...splitLines(bytes)].flatMap((line) => {
      const parsed = parseLine(line.bytes, { location, file });
      return parsed.ok && parsed.value !== undefined ? [lineDigest(file.path, parsed.value.canonical())] : [];
    });
  });
};
