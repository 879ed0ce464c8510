import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html';
import { imageOf, linkOf, type Place } from './place.ts';

/** What of a README reaches a page. Neither classes nor ids nor names: those are the page's own. */
const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'pre', 'hr', 'br', 'details', 'summary'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'],
  ...['a', 'img', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'code', 'kbd', 'samp', 'var', 'sub', 'sup'],
  ...['small', 'mark', 'q', 'abbr', 'cite', 'span'],
];
const ALIGN = { name: 'align', values: ['left', 'center', 'right'] };
const ALIGNED = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'th', 'td', 'table'];

/** Deeper nesting than any README has would only cost the reader's browser. */
const NESTING = 60;

/**
 * Cleans HTML by a list of what is allowed, and leads its addresses where they belong: links to the repository at the
 * commit, images to the one host that they are shown from; an image of any other host becomes a link.
 */
export function clean(html: string, place: Place): string {
  // Images within a link cannot become links themselves.
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
    // A link that shows nothing is a stop of the keyboard that nobody can tell the purpose of.
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
  // Within a link it may be all there is to tell where that leads.
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
