import { html, raw } from 'hono/html';

/** A piece of a page. Made with `html`, which escapes everything that is put into it; only such pieces go in as they are. */
export type Html = ReturnType<typeof html>;

export { html };

/** Markup that our own code has made safe in another way, and that alone. */
export function trusted(markup: string): Html {
  return raw(markup);
}

/** Puts something between pieces. */
export function joined(pieces: readonly (Html | string)[], between: Html | string): (Html | string)[] {
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [between, piece]));
}

/** The text with what stands between backticks as code, as our own sentences have it. */
export function withCode(text: string): (Html | string)[] {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
}

/** An address that a link may have; anything but a web address leads nowhere. */
export function webAddress(address: string): string | null {
  const url = URL.parse(address);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** A link to another site, or its words alone where the address is none. */
export function outward(address: string, words: Html | string): Html {
  const href = webAddress(address);
  return href ? html`<a href="${href}" rel="noopener nofollow ugc">${words}</a>` : html`<span>${words}</span>`;
}
