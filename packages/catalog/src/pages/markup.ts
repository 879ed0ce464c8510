import { html, raw } from 'hono/html';

/** A piece of a page. The template tag `html` escapes all values except other pieces. */
export type Html = ReturnType<typeof html>;

export { html };

/** Marks markup as safe. Use only for markup that our own code has made safe in another way. */
export function trusted(markup: string): Html {
  return raw(markup);
}

/** Inserts a separator between pieces. */
export function joined(pieces: readonly (Html | string)[], between: Html | string): (Html | string)[] {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [between, piece]));
}

/** Returns a text with the parts between backticks as `code` elements. Our own messages use backticks. */
export function withCode(text: string): (Html | string)[] {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
}

/** Returns the URL if a link may have it, or `null` if it is not a web URL. */
export function webAddress(address: string): string | null {
  const url = URL.parse(address);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** Returns a link to another site, or only its text if the URL is not a web URL. */
export function outward(address: string, words: Html | string): Html {
  const href = webAddress(address);
  return href ? html`<a href="${href}" rel="noopener nofollow ugc">${words}</a>` : html`<span>${words}</span>`;
}
