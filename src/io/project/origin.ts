import { readFileSync } from 'node:fs';

/** What the `origin` remote says about a project. It only names things: it never grants anything. */
export interface Origin {
  readonly host: string;
  readonly org: string;
  readonly project: string;
}

const namePart = /^[A-Za-z0-9._-]+$/;

/** Reads https, ssh and scp-like remote addresses. The first path segment is the org, the rest the project. */
export const parseOrigin = (url: string): Origin | undefined => {
  const address =
    /^(?:(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/|(?:[^@/\s]+@)?([^/:\s]+):(?!\/\/))(.+?)(?:\.git)?\/?$/i.exec(
      url.trim(),
    );
  const host = (address?.[1] ?? address?.[2])?.toLowerCase();
  const segments = address?.[3]?.split('/').filter((segment) => segment !== '') ?? [];
  const [org, ...rest] = segments;
  if (host === undefined || org === undefined || rest.length === 0) return undefined;
  if (![host, org, ...rest].every((part) => namePart.test(part) && part !== '..')) return undefined;
  return { host, org, project: rest.join('/') };
};

/** The `origin` of the repository whose common directory is given, read from its config file without running git. */
export const readOrigin = (commonDirectory: string): Origin | undefined => {
  const text = readConfig(`${commonDirectory}/config`);
  if (text === undefined) return undefined;
  const section = /^\s*\[remote "origin"\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(text)?.[1];
  const url = section === undefined ? undefined : /^\s*url\s*=\s*(.+?)\s*$/m.exec(section)?.[1];
  return url === undefined ? undefined : parseOrigin(url);
};

/** A missing or unreadable file means no origin: the org floor does not depend on it. */
const readConfig = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};
