/** A command as a line: as people write it in a shell, without anything a shell would do with it but quotes. */

export type Split = { args: string[] } | { why: string };

/** `node server.js --title "two words"`: three arguments and one with a space. Nothing is replaced or expanded. */
export function splitArguments(line: string): Split {
  const args: string[] = [];
  let word: string | null = null;
  for (let i = 0; i < line.length; i += 1) {
    const char = line[i] ?? '';
    if (/\s/.test(char)) {
      if (word !== null) args.push(word);
      word = null;
    } else if (char === "'" || char === '"') {
      const end = endOfQuote(line, i);
      if (end < 0) return { why: `the quote ${char} is never closed` };
      word = (word ?? '') + inQuotes(line.slice(i + 1, end), char);
      i = end;
    } else if (char === '\\') {
      if (i + 1 === line.length) return { why: 'there is nothing behind the last «\\»' };
      i += 1;
      word = (word ?? '') + (line[i] ?? '');
    } else word = (word ?? '') + char;
  }
  if (word !== null) args.push(word);
  return { args };
}

function endOfQuote(line: string, start: number): number {
  const quote = line[start] ?? '';
  for (let i = start + 1; i < line.length; i += 1) {
    if (quote === '"' && line[i] === '\\') i += 1;
    else if (line[i] === quote) return i;
  }
  return -1;
}

/** In double quotes a backslash stands before what would end or mean something there, and is itself elsewhere. */
function inQuotes(text: string, quote: string): string {
  return quote === '"' ? text.replace(/\\(["\\$`])/g, '$1') : text;
}

/** The line that splits into exactly these. */
export function joinArguments(args: readonly string[]): string {
  return args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`)).join(' ');
}
