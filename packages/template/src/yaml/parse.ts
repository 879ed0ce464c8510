import { Composer, type CST, type Document, Schema, type YAMLParseError } from 'yaml';
import type { Diagnostic } from '../diagnostic.ts';
import { type Position, SourceDocument } from '../document.ts';
import { type Cut, cutFirstDocument } from './cut.ts';
import { LIMITS } from './limits.ts';
import { Positions } from './positions.ts';
import { syntaxProblem } from './syntax.ts';
import { treeOf } from './tree.ts';

export interface Parsed {
  /** Parsed YAML document. `null` if the text is invalid YAML or exceeds a limit. */
  document: SourceDocument | null;
  problems: Diagnostic[];
}

/**
 * Options of the YAML library. The library returns all scalars as text, because `scalar.ts` determines their types
 * faster. `tree.ts` reports duplicate keys.
 */
const OPTIONS = {
  schema: new Schema({ schema: 'failsafe', resolveKnownTags: false }),
  uniqueKeys: false,
  prettyErrors: false,
};

/** Matches control characters. YAML allows them only as escape sequences, such as `\u0001`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

const KEEP_ELSEWHERE = 'Put large content into an image or a volume.';

/**
 * Parses the first YAML document of a text. Never throws. The time and memory for this are limited, even for malicious
 * text.
 */
export function parseYaml(source: string): Parsed {
  if (isTooLarge(source)) return refused(tooLarge(`${LIMITS.bytes / 1024} KiB`));
  if (hasManyLines(source, '\r')) return refused(tooLarge(`${LIMITS.lines} lines`));
  const text = plainText(source);
  if (hasManyLines(text, '\n')) return refused(tooLarge(`${LIMITS.lines} lines`));
  if (occursMore(text, '${', LIMITS.references)) return refused(tooManyReferences());
  const unprintable = UNPRINTABLE.exec(text);
  if (unprintable) return refused(unprintableProblem(text, unprintable.index));
  const cut = cutFirstDocument(withLineEnd(text));
  if ('over' in cut) return refused(overProblem(cut, new Positions(text).at(cut.offset)));
  const composed = compose(cut.tokens);
  if ('error' in composed) return refused(syntaxProblem(text, composed.error));
  if (!composed.document?.contents) return refused(emptyProblem());
  const { root, problems } = treeOf(composed.document, text);
  const document = new SourceDocument(root);
  if (problems.length === 0 && root.kind === 'scalar') return { document, problems: [emptyProblem(root.position)] };
  if (cut.more !== null) problems.push(moreProblem(new Positions(text).at(cut.more)));
  return { document, problems };
}

/**
 * Removes a byte order mark. Converts each carriage return without a line feed to a line feed. The lines and columns of
 * other characters do not change.
 */
function plainText(source: string): string {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}

/**
 * Appends a line feed to a text that ends with a quote. Otherwise, the YAML library would treat an escaped quote at the
 * end as the closing quote.
 */
function withLineEnd(text: string): string {
  return /["']$/.test(text) ? `${text}\n` : text;
}

function compose(tokens: CST.Token[]): { document: Document.Parsed | null } | { error: YAMLParseError } {
  const composer = new Composer(OPTIONS);
  const [document] = composer.compose(tokens);
  const [error] = document?.errors ?? composer.streamInfo().errors;
  return error ? { error } : { document: document ?? null };
}

function refused(problem: Diagnostic): Parsed {
  return { document: null, problems: [problem] };
}

/**
 * Returns whether a text has more UTF-8 bytes than the limit. A UTF-16 unit needs one to three bytes. The bytes are
 * counted only if the length of the text is not a clear answer.
 */
function isTooLarge(source: string): boolean {
  const { bytes } = LIMITS;
  return source.length > bytes || (source.length * 3 > bytes && new TextEncoder().encode(source).length > bytes);
}

function hasManyLines(text: string, end: string): boolean {
  return occursMore(text, end, LIMITS.lines);
}

/** Returns whether a text contains `part` more often than the given number of times. */
function occursMore(text: string, part: string, often: number): boolean {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1 && count <= often; at = text.indexOf(part, at + 1)) count += 1;
  return count > often;
}

function tooManyReferences(): Diagnostic {
  const message = `The file has more than ${LIMITS.references} references, which begin with \`\${\`, so it was not checked.`;
  return { severity: 'error', code: 'yaml.too-many-nodes', message, path: [] };
}

function tooLarge(limit: string): Diagnostic {
  const message = `The file is larger than ${limit}, so it was not checked.`;
  return { severity: 'error', code: 'yaml.too-large', message, path: [], hint: KEEP_ELSEWHERE };
}

function unprintableProblem(text: string, offset: number): Diagnostic {
  const { line } = new Positions(text).at(offset);
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
  const message = `The character U+${code} is not allowed in YAML.`;
  const hint = `Remove the character, or write "\\u${code}" in double quotes.`;
  return { severity: 'error', code: 'yaml.syntax', message, path: [], line, hint };
}

function overProblem({ over }: Extract<Cut, { over: string }>, { line, column }: Position): Diagnostic {
  const common = { severity: 'error', path: [], line, ...(column ? { column } : {}) } as const;
  if (over === 'depth') {
    const message = `Values are nested more than ${LIMITS.depth - 1} levels deep here, so the file was not checked.`;
    return { ...common, code: 'yaml.too-deep', message };
  }
  if (over === 'text') {
    const message = `The value that begins here has more than ${LIMITS.text} characters, so the file was not checked.`;
    return { ...common, code: 'yaml.too-large', message, hint: KEEP_ELSEWHERE };
  }
  const what = {
    nodes: `${LIMITS.nodes} keys and values`,
    tokens: `${LIMITS.tokens} tokens`,
    directives: `${LIMITS.directives} directives`,
  }[over];
  const message = `The file has more than ${what} up to here, so it was not checked.`;
  return { ...common, code: 'yaml.too-many-nodes', message };
}

function emptyProblem(position?: Position): Diagnostic {
  const message = position ? 'The file contains a single value instead of a template.' : 'The file is empty.';
  return {
    severity: 'error',
    code: 'yaml.empty',
    message,
    path: [],
    ...position,
    hint: 'Add the keys of a template to the file.',
  };
}

function moreProblem(position: Position): Diagnostic {
  const message = 'The file has several YAML documents, and only the first one is read.';
  const hint = 'Remove the document, or publish it as a separate template.';
  return { severity: 'warning', code: 'yaml.more-documents', message, path: [], ...position, hint };
}
