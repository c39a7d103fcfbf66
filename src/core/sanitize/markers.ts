/** How a redaction is written: `<SECRET:kind>`, or `<REDACTED>` for all of them. */
export type Placeholder = 'typed' | 'plain';

export const placeholderFor = (kind: string, placeholder: Placeholder): string =>
  placeholder === 'typed' ? `<SECRET:${kind}>` : '<REDACTED>';

const rawMarkers = /<((?:LITERAL:)*(?:SECRET:|REDACTED>))/g;

/**
 * Makes text that looks like a redaction look different: `<SECRET:` becomes `<LITERAL:SECRET:`, and what is already
 * escaped gets one `LITERAL:` more. Different texts stay different.
 */
export const escapeMarkers = (text: string): string =>
  text.includes('<') ? text.replace(rawMarkers, '<LITERAL:$1') : text;

const marker = /<(?:LITERAL:)*(?:SECRET:[a-z][a-z0-9-]{1,40}>|REDACTED>)/y;

/** The end of the redaction or escaped redaction that starts at `at`; `at` itself when there is none. */
export const markerAt = (text: string, at: number): number => {
  marker.lastIndex = at;
  return marker.test(text) ? marker.lastIndex : at;
};
