import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html';
import { imageOf, linkOf, type Place } from './place.ts';

/** Allowed HTML tags of a README. Classes, ids and names are not allowed, because they belong to the page itself. */
const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'pre', 'hr', 'br', 'details', 'summary'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'],
  ...['a', 'img', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'code', 'kbd', 'samp', 'var', 'sub', 'sup'],
  ...['small', 'mark', 'q', 'abbr', 'cite', 'span'],
];
const ALIGN = { name: 'align', values: ['left', 'center', 'right'] };
const ALIGNED = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'th', 'td', 'table'];

/** Maximum nesting. No real README nests deeper, and deep nesting slows down the browser. */
const NESTING = 60;

/**
 * Cleans HTML with a list of allowed tags and attributes, and rewrites URLs. Links lead to the repository at the
 * commit, and images load only from the allowed host. An image of another host becomes a link.
 */
export function clean(html: string, place: Place): string {
  // An image within a link must not become a link itself.
  let links = 0;
  return sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: {
      ...Object.fromEntries(ALIGNED.map((tag) => [tag, [ALIGN]])),
      a: ['href', 'rel', 'title'],
      img: ['src', 'alt', 'title', 'width', 'height', 'loading', { name: 'align', values: ['left', 'right'] }],
      td: ['colspan', 'rowspan', ALIGN],
      th: ['colspan', 'rowspan', ALIGN],
      ol: ['start'],
      details: ['open'],
      abbr: ['title'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    nestingLimit: NESTING,
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'template', 'title', 'iframe', 'svg', 'math'],
    onOpenTag: (name) => {
      if (name === 'a') links += 1;
    },
    onCloseTag: (name) => {
      if (name === 'a') links -= 1;
    },
    transformTags: {
      a: (_, attributes) => link(attributes, place),
      img: (_, attributes) => image(attributes, place, links > 0),
    },
    // An empty link would be a keyboard stop without a visible purpose.
    exclusiveFilter: ({ tag, text, mediaChildren }) => tag === 'a' && !text.trim() && mediaChildren.length === 0,
  });
}

function link(attributes: Attributes, place: Place): Tag {
  const href = attributes.href === undefined ? null : linkOf(place, attributes.href);
  if (href === null) return { tagName: 'span', attribs: {} };
  const title: Attributes = attributes.title ? { title: attributes.title } : {};
  const rel: Attributes = href.startsWith('#') ? {} : { rel: 'noopener nofollow ugc' };
  return { tagName: 'a', attribs: { href, ...title, ...rel } };
}

function image(attributes: Attributes, place: Place, isInLink: boolean): Tag {
  const { src = '', title } = attributes;
  // The alternative text of an image within a link may be the only text of the link.
  const alt = attributes.alt?.trim() || (isInLink ? 'image' : '');
  const shown = imageOf(place, src);
  if (shown) {
    const size = Object.fromEntries(
      ['width', 'height'].flatMap((side) =>
        /^\d{1,4}$/.test(attributes[side] ?? '') ? [[side, attributes[side]]] : [],
      ),
    );
    const align: Attributes = attributes.align ? { align: attributes.align } : {};
    return {
      tagName: 'img',
      attribs: { src: shown, alt, loading: 'lazy', ...(title ? { title } : {}), ...size, ...align },
    };
  }
  const href = linkOf(place, src);
  const text = alt || 'image';
  if (isInLink || href === null || href.startsWith('#')) return { tagName: 'span', attribs: {}, text };
  return { tagName: 'a', attribs: { href, rel: 'noopener nofollow ugc' }, text };
}
