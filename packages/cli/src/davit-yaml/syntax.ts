/** Reports YAML syntax errors of a davit.yaml and of a Compose file with the same words and positions. */
import { type Document, LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import type { Mistake } from './excerpt.ts';

interface Syntax {
  document: Document.Parsed;
  lines: LineCounter;
  mistakes: Mistake[];
}

/** Parses YAML text. Returns the document with all syntax errors. */
export function parseSyntax(text: string, options: { uniqueKeys: boolean }): Syntax {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: !options.uniqueKeys,
    ...options,
  });
  return { document, lines, mistakes: document.errors.map((error) => mistakeAt(lines, error.pos, wordsOf(error))) };
}

export function mistakeAt(lines: LineCounter, [from, to]: readonly [number, number], message: string): Mistake {
  const { line, col } = lines.linePos(from);
  return { line, column: col, length: Math.max(1, to - from), message: message.replace(/\s+/g, ' ') };
}

/**
 * Returns the YAML parser's error message. Replaces messages that only programmers would understand with simpler
 * messages.
 */
function wordsOf({ code, message }: YAMLParseError): string {
  if (code === 'MULTIPLE_DOCS') return 'the file contains a second YAML document: write one file for each app';
  if (code === 'DUPLICATE_KEY') return 'this key already exists: remove one of the two keys';
  return lowerCase(message);
}

export function lowerCase(message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1).trimEnd();
}
