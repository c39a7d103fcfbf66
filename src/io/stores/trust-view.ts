/** The log of lines that were trusted along with a person's answer. It only grows while `trustSignature` stays the same. */
export interface AnswerLog {
  /** How long the log is, in bytes. */
  readonly end: () => number;
  /** What was trusted after the first `position` bytes, and where the log ends; `undefined` when it is shorter. */
  readonly after: (position: number) => { readonly digests: readonly string[]; readonly end: number } | undefined;
}

/** Which allows of a repository count. */
export interface TrustView {
  readonly isTrusted: (lineDigest: string) => boolean;
  /** Changes when anything was trusted by command, and whenever anything loses its trust. */
  readonly trustSignature: () => string;
  /** Absent: every change of trust shows in the signature. */
  readonly answers?: AnswerLog;
  /** `isTrusted` as of one moment, for many questions. */
  readonly snapshot?: () => (lineDigest: string) => boolean;
}
