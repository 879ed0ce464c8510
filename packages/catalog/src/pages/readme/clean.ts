import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html';
import { imageOf, linkOf, type ReadmeLocation } from './location.ts';

/**
 * HTML tags that are allowed in a README. Classes, ids and names are not allowed, because they could affect the rest of
 * the web page.
 */
const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'pre', 'hr', 'br', 'details', 'summary'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'],
  ...['a', 'img', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'code', 'kbd', 'samp', 'var', 'sub', 'sup'],
  ...['small', 'mark', 'q', 'abbr', 'cite', 'span'],
];
const ALIGN = { name: 'align', values: ['left', 'center', 'right'] };
const ALIGNED = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'th', 'td', 'table'];

/**
 * Maximum nesting of HTML elements in a README. Deep nesting slows down browsers. No known README has deeper nesting.
 */
const NESTING = 60;

/**
 * Removes HTML that is not allowed in a README. Images from hosts other than GitHub become links, so that browsers send
 * no requests to these hosts.
 */
export function clean(html: string, location: ReadmeLocation): string {
  /*
   * Number of open links around the current position. HTML does not allow nested links, so an image inside a link must
   * not become a link.
   */
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
      a: (_, attributes) => link(attributes, location),
      img: (_, attributes) => image(attributes, location, links > 0),
    },
    // Links without content are removed, because users of a keyboard could reach such a link but would see nothing.
    exclusiveFilter: ({ tag, text, mediaChildren }) => tag === 'a' && !text.trim() && mediaChildren.length === 0,
  });
}

function link(attributes: Attributes, location: ReadmeLocation): Tag {
  const href = attributes.href === undefined ? null : linkOf(location, attributes.href);
  if (href === null) return { tagName: 'span', attribs: {} };
  const title: Attributes = attributes.title ? { title: attributes.title } : {};
  const rel: Attributes = href.startsWith('#') ? {} : { rel: 'noopener nofollow ugc' };
  return { tagName: 'a', attribs: { href, ...title, ...rel } };
}

function image(attributes: Attributes, location: ReadmeLocation, isInLink: boolean): Tag {
  const { src = '', title } = attributes;
  // An image inside a link needs an alternative text, because the image may be the only content of the link.
  const alt = attributes.alt?.trim() || (isInLink ? 'image' : '');
  const shown = imageOf(location, src);
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
  const href = linkOf(location, src);
  const text = alt || 'image';
  if (isInLink || href === null || href.startsWith('#')) return { tagName: 'span', attribs: {}, text };
  return { tagName: 'a', attribs: { href, rel: 'noopener nofollow ugc' }, text };
}
