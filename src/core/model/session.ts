/** One line of the registration file, keyed there by session id. */
export interface RegistrationEntry {
  readonly role: string;
  readonly task?: string;
  /** `sha256:<hex>` of the stored prompt. */
  readonly prompt_hash?: string;
  readonly prompt_path?: string;
  /** ISO 8601, UTC. */
  readonly registered_at: string;
  readonly registered_by?: string;
}

/** A session id that may be used in a file name (D15). */
export const isSessionId = (text: unknown): text is string =>
  typeof text === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(text) && text !== '__proto__';
