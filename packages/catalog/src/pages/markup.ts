import { html, raw } from 'hono/html';

/** HTML that is safe to insert. The template tag `html` escapes all values that do not have this type. */
export type Html = ReturnType<typeof html>;

export { html };

/** Marks HTML as safe, so that the `html` function does not escape it. Untrusted text must be sanitized before. */
export function trusted(markup: string): Html {
  return raw(markup);
}

export function joined(pieces: readonly (Html | string)[], between: Html | string): (Html | string)[] {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [between, piece]));
}

/**
 * Converts a text to HTML. Parts of the text between backticks become `code` elements. Messages of the template check
 * contain backticks.
 */
export function withCode(text: string): (Html | string)[] {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
}

/** Returns the normalized URL if the text is a valid HTTP or HTTPS URL. Otherwise, returns `null`. */
export function webAddress(address: string): string | null {
  const url = URL.parse(address);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** Returns an HTML link to another web site. If the URL is not an HTTP or HTTPS URL, returns only the link text. */
export function outward(address: string, words: Html | string): Html {
  const href = webAddress(address);
  return href ? html`<a href="${href}" rel="noopener nofollow ugc">${words}</a>` : html`<span>${words}</span>`;
}
