/** The shell blocks of the tutorials and how-to guides. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Opening or closing fence of a code block, with the indentation of a block in a list. */
const FENCE = /^( *)```(\w*)$/;

export interface ShellBlock {
  /** Nearest heading above the block, without the number signs. */
  heading: string;
  /** Number of the first line of the block in its page. */
  line: number;
  /** Commands of the block, without the indentation of the fence. */
  text: string;
}

export interface DocPage {
  /** Path in the repository. */
  path: string;
  blocks: ShellBlock[];
}

/** Returns all pages with shell blocks, tutorials first. */
export function docPages(): DocPage[] {
  const paths = ['tutorials', 'how-to'].flatMap((folder) => globSync(`docs/${folder}/*.md`, { cwd: ROOT }).sort());
  const pages = paths.map((path) => ({ path, blocks: shellBlocks(readFileSync(join(ROOT, path), 'utf8')) }));
  return pages.filter(({ blocks }) => blocks.length > 0);
}

/** Returns the blocks of a page with the language `sh`. */
export function shellBlocks(page: string): ShellBlock[] {
  const blocks: ShellBlock[] = [];
  let heading = '';
  let open: { language: string; indent: number; line: number; lines: string[] } | null = null;
  for (const [index, line] of page.split('\n').entries()) {
    const [fence, indent = '', language = ''] = FENCE.exec(line) ?? [];
    if (open === null) {
      if (fence !== undefined) open = { language, indent: indent.length, line: index + 2, lines: [] };
      else heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
    } else if (fence === undefined) {
      open.lines.push(line.slice(open.indent));
    } else {
      if (open.language === 'sh') blocks.push({ heading, line: open.line, text: open.lines.join('\n') });
      open = null;
    }
  }
  return blocks;
}

/** Returns the command in a line, without a comment at its end. Tables use it as the name of the line. */
export function commandOf(line: string): string {
  return line.replace(/\s+#.*$/, '').trim();
}

/** Returns the commands of the lines of a block. */
export function commandsOf({ text }: ShellBlock): string[] {
  return text.split('\n').map(commandOf);
}

/** Returns the block without the lines with these commands. A line that ends with `\` includes the next line. */
export function withoutLines({ text }: ShellBlock, commands: ReadonlySet<string>): string {
  const kept: string[] = [];
  let isLeftOut = false;
  let continues = false;
  for (const line of text.split('\n')) {
    if (!continues) isLeftOut = commands.has(commandOf(line));
    continues = line.endsWith('\\');
    if (!isLeftOut) kept.push(line);
  }
  return kept.join('\n').trim();
}
