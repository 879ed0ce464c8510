import { type Html, html } from './markup.ts';

/**
 * Matches invisible characters except tabs, U+200C and U+200D. Some scripts and emoji need the characters U+200C and
 * U+200D.
 */
const UNSEEN = /[\p{Zl}\p{Zp}]|(?![\t\u200c\u200d])[\p{Cc}\p{Cf}]/u;
const KEY = /^(\s*(?:- +)*)([\w.$/-]+|"[^"]*"|'[^']*')(:)(?=\s|$)/;
/** Matches the start of a YAML comment. A quoted value can contain `#`, so the caller must skip the value first. */
const COMMENT = /(?:^|\s)#/;

/** Returns the HTML of one line of YAML with syntax highlighting. Invisible characters are shown as code points. */
export function yamlLine(line: string): Html {
  const [key = '', indent = '', name = '', colon = ''] = KEY.exec(line) ?? [];
  const rest = line.slice(key.length);
  const comment = commentStart(rest);
  return html`${indent}${name && html`<span class="k">${seen(name)}</span>`}${colon}${value(rest.slice(0, comment))}${
    comment < rest.length ? html`<span class="c">${seen(rest.slice(comment))}</span>` : ''
  }`;
}

function value(text: string): Html | string {
  const references = text.split(/(\$\{[^}]{0,200}\})/);
  return html`${references.map((part, at) => (at % 2 ? html`<span class="r">${seen(part)}</span>` : seen(part)))}`;
}

function commentStart(text: string): number {
  // A quoted YAML value may contain `#`. Therefore, only the text after the value is searched for a comment.
  const quoted = /^\s*(?:- +)?("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(text)?.[0].length ?? 0;
  const found = COMMENT.exec(text.slice(quoted));
  return found ? quoted + found.index : text.length;
}

/** Replaces invisible characters of a text with their code points, such as `U+200B`. */
export function seen(text: string): (Html | string)[] {
  if (!UNSEEN.test(text)) return [text];
  return text.split(new RegExp(`(${UNSEEN.source})`, 'u')).map((part, at) => {
    const code = (part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return at % 2 ? html`<span class="unseen" title="A character that cannot be seen">U+${code}</span>` : part;
  });
}
