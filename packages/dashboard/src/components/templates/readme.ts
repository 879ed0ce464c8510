/**
 * A README as parts that can be drawn. What authors write never is HTML here: whatever is not one of these few things is
 * text, and stands as it is written. Pictures are left out, since they would be asked of other hosts.
 */

export type Inline =
  | { kind: 'text' | 'code' | 'strong' | 'emphasis'; text: string }
  | { kind: 'link'; text: string; href: string };

export type Block =
  | { kind: 'heading'; level: 1 | 2 | 3; inline: Inline[] }
  | { kind: 'paragraph'; inline: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'quote'; inline: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: Inline[][][] };

/** More than this is for its own page. */
const MOST_LINES = 2_000;
const MOST_CHARACTERS = 200_000;

const ITEM = /^\s{0,3}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.slice(0, MOST_CHARACTERS).replace(/\r\n?/g, '\n').split('\n').slice(0, MOST_LINES);
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = blockAt(lines, at);
    if (block !== null) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** The block that begins at a line, and the line after it. */
function blockAt(lines: readonly string[], at: number): [Block | null, number] {
  const line = lines[at] ?? '';
  if (line.trim() === '' || /^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) return [null, at + 1];
  const [, fence] = FENCE.exec(line) ?? [];
  if (fence !== undefined) return fencedAt(lines, at, fence);
  const [, hashes, title] = HEADING.exec(line) ?? [];
  if (hashes !== undefined) {
    const level = Math.min(hashes.length, 3) as 1 | 2 | 3;
    return [{ kind: 'heading', level, inline: inlineOf(title ?? '') }, at + 1];
  }
  if (ITEM.test(line)) return listAt(lines, at);
  if (line.startsWith('|')) return tableAt(lines, at);
  if (/^\s{0,3}>/.test(line)) {
    const end = endOf(lines, at, (one) => /^\s{0,3}>/.test(one));
    const text = lines.slice(at, end).map((one) => one.replace(/^\s{0,3}>\s?/, ''));
    return [{ kind: 'quote', inline: inlineOf(text.join(' ')) }, end];
  }
  const end = endOf(lines, at, (one) => !begins(one));
  const inline = inlineOf(
    lines
      .slice(at, end)
      .map((one) => one.trim())
      .join(' '),
  );
  return [inline.length > 0 ? { kind: 'paragraph', inline } : null, end];
}

function fencedAt(lines: readonly string[], at: number, fence: string): [Block, number] {
  const close = lines.findIndex((line, i) => i > at && line.trim().startsWith(fence));
  const end = close < 0 ? lines.length : close;
  return [{ kind: 'code', text: lines.slice(at + 1, end).join('\n') }, end + 1];
}

function listAt(lines: readonly string[], at: number): [Block, number] {
  const ordered = ITEM.exec(lines[at] ?? '')?.[1] !== undefined;
  const items: string[] = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    const [matched, , text = ''] = ITEM.exec(line) ?? [];
    if (matched !== undefined || /^\s+(?:[-*+]|\d+[.)])\s/.test(line))
      items.push(matched === undefined ? line.trim().replace(/^\S+\s/, '') : text);
    else if (line.trim() !== '' && /^\s/.test(line)) items.push(`${items.pop() ?? ''} ${line.trim()}`);
    else break;
  }
  return [{ kind: 'list', ordered, items: items.map(inlineOf) }, end];
}

function tableAt(lines: readonly string[], at: number): [Block, number] {
  const end = endOf(lines, at, (line) => line.startsWith('|'));
  const rows = lines
    .slice(at, end)
    .filter((line) => !/^\|[\s:|-]+\|?\s*$/.test(line))
    .map((line) =>
      line
        .replace(/^\||\|\s*$/g, '')
        .split('|')
        .map((cell) => inlineOf(cell.trim())),
    );
  return [{ kind: 'table', rows }, end];
}

function begins(line: string): boolean {
  return line.trim() === '' || FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || /^\s{0,3}[>|]/.test(line);
}

/** At least one line. */
function endOf(lines: readonly string[], at: number, goesOn: (line: string) => boolean): number {
  const stop = lines.findIndex((line, i) => i > at && !goesOn(line));
  return stop < 0 ? lines.length : stop;
}

/**
 * What is more than text: what is escaped, code, a badge with its link, a picture, a link, strong, emphasis, an address.
 * Each part has a length at most: without it a text that opens and never closes would be read to its end from each of its
 * characters, and hold up the browser.
 */
const MARK =
  /\\[!-/:-@[-`{-~]|`([^`]{1,2000})`|\[!\[[^\]]{0,200}\]\([^)]{0,500}\)\]\([^)]{0,500}\)|!\[[^\]]{0,200}\]\([^)]{0,500}\)|\[([^[\]]{0,500})\]\(([^()\s]{0,1000}(?:\([^()\s]{0,200}\))?[^()\s]{0,200})(?:\s[^)]{0,200})?\)|\*\*([^*]{1,2000})\*\*|__([^_]{1,2000})__|\*([^*\s][^*]{0,2000})\*|(?<![\w])_([^_\s][^_]{0,2000})_(?![\w])|<(https?:\/\/[^\s<>]{1,1000})>|(https?:\/\/[^\s<>()]{0,1000}[^\s<>().,;:!?'"])/g;

export function inlineOf(text: string): Inline[] {
  const parts: Inline[] = [];
  const plain = (more: string) => {
    const last = parts.at(-1);
    if (more === '') return;
    if (last?.kind === 'text') last.text += unescaped(more);
    else parts.push({ kind: 'text', text: unescaped(more) });
  };
  let from = 0;
  for (const found of text.matchAll(MARK)) {
    plain(text.slice(from, found.index));
    from = found.index + found[0].length;
    const [, code, words, target, strong, alsoStrong, emphasis, alsoEmphasis, angled, bare] = found;
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (target !== undefined) parts.push(linkOf(words || target, target));
    else if (strong ?? alsoStrong) parts.push({ kind: 'strong', text: unescaped(strong ?? alsoStrong ?? '') });
    else if (emphasis ?? alsoEmphasis)
      parts.push({ kind: 'emphasis', text: unescaped(emphasis ?? alsoEmphasis ?? '') });
    else if (found[0].startsWith('\\')) plain(found[0]);
    else if (angled ?? bare) parts.push(linkOf(angled ?? bare ?? '', angled ?? bare ?? ''));
  }
  plain(text.slice(from));
  const isEmpty = parts.every((part) => part.text.trim() === '');
  return isEmpty ? [] : parts;
}

/** Only what leads to a page of the web is a link: everything else is its words. */
function linkOf(words: string, target: string): Inline {
  const text = unescaped(words);
  return /^https?:\/\//i.test(target) && URL.canParse(target)
    ? { kind: 'link', text, href: target }
    : { kind: 'text', text };
}

const unescaped = (text: string) => text.replace(/\\([\\`*_{}[\]()#+\-.!|<>])/g, '$1');
