import { type Html, html } from './markup.ts';

/** Characters that are not seen but change how a line reads, save those that join the letters and signs of a language. */
const UNSEEN = /[\p{Zl}\p{Zp}]|(?![\t\u200c\u200d])[\p{Cc}\p{Cf}]/u;
const KEY = /^(\s*(?:- +)*)([\w.$/-]+|"[^"]*"|'[^']*')(:)(?=\s|$)/;
/** A comment begins at the start or after a blank, outside of quotes. */
const COMMENT = /(?:^|\s)#/;

/** A line of YAML, coloured by what can be told from the line alone; unseen characters are shown by their number. */
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
  // A quoted value may hold a hash: then nothing but what follows its end is looked at.
  const quoted = /^\s*(?:- +)?("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(text)?.[0].length ?? 0;
  const found = COMMENT.exec(text.slice(quoted));
  return found ? quoted + found.index : text.length;
}

/** The text with what cannot be seen in it made visible. */
export function seen(text: string): (Html | string)[] {
  if (!UNSEEN.test(text)) return [text];
  return text.split(new RegExp(`(${UNSEEN.source})`, 'u')).map((part, at) => {
    const code = (part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return at % 2 ? html`<span class="unseen" title="A character that cannot be seen">U+${code}</span>` : part;
  });
}
