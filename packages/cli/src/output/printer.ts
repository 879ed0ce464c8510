import type { Output, World } from '../process/world.ts';
import { hasColour, type Paint, painter, type Style } from './paint.ts';
import { type Field, recordLines } from './record.ts';
import { safeJson, safeLine, safeText } from './safe-text.ts';
import { type Column, tableLines } from './table.ts';

export interface ListView<Row> {
  columns: readonly Column<Row>[];
  /** What `--quiet` prints of each. */
  id: (row: Row) => string | number;
  /** What is said when there is none, and what to do about it. */
  empty: string;
}

/**
 * Everything that a command prints. With `--json` it is the API's answer and nothing else, with `--quiet` ids only. All
 * text is made safe on its way: styles are arguments, so that no escape sequence ever has to be part of a text.
 */
export class Printer {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Paints what goes to stdout. */
  readonly paint: Paint;
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #paintNotes: Paint;

  constructor(world: World, { json, quiet, noColor }: { json: boolean; quiet: boolean; noColor: boolean }) {
    this.isJson = json;
    this.isQuiet = quiet;
    this.#stdout = world.stdout;
    this.#stderr = world.stderr;
    this.paint = painter(hasColour(world.stdout, world.env, noColor));
    this.#paintNotes = painter(hasColour(world.stderr, world.env, noColor));
  }

  /** How many cells a line has; null: it is not a terminal, or one that does not say, and nothing is cut. */
  get width(): number | null {
    return (this.#stdout.isTTY && this.#stdout.columns) || null;
  }

  list<Row>(rows: readonly Row[], { columns, id, empty }: ListView<Row>): void {
    if (this.isJson) this.json(rows);
    else if (this.isQuiet) for (const row of rows) this.line(String(id(row)));
    else if (rows.length === 0) this.note(empty);
    else this.#raw(tableLines(rows, columns, this.width, this.paint));
  }

  record(value: unknown, fields: readonly Field[], id: string | number): void {
    if (this.isJson) this.json(value);
    else if (this.isQuiet) this.line(String(id));
    else this.#raw(recordLines(fields, this.paint));
  }

  /** What became of a change: the answer, the id of what was changed, or a sentence. */
  done(value: unknown, sentence: string, id: string | number = ''): void {
    if (this.isJson) this.json(value);
    else if (!this.isQuiet) this.line(sentence);
    else if (id !== '') this.line(String(id));
  }

  /** An operation without an answer prints `null`, so that the output is always JSON. */
  json(value: unknown): void {
    this.#stdout.write(`${safeJson(JSON.stringify(value ?? null, null, 2))}\n`);
  }

  /** One value a line, as a stream of JSON has it. */
  jsonLine(value: unknown): void {
    this.#stdout.write(`${safeJson(JSON.stringify(value))}\n`);
  }

  line(text: string, style?: Style): void {
    this.#raw([this.paint(safeLine(text), style)]);
  }

  /** A line that is safe and painted already, by this folder's own functions. */
  painted(line: string): void {
    this.#raw([line]);
  }

  /** Text of several lines. */
  text(text: string): void {
    this.#stdout.write(safeText(text));
  }

  /** What a person should know and a script need not: on stderr, and not with `--quiet`. */
  note(text: string, style?: Style): void {
    if (!this.isQuiet) this.#stderr.write(`${this.#paintNotes(safeLine(text), style)}\n`);
  }

  /** What went wrong: on stderr, always. */
  complain(text: string): void {
    this.#stderr.write(`${this.#paintNotes('error:', 'red')} ${safeLine(text)}\n`);
  }

  /** Lines for stderr that explain a complaint, as they are. */
  explain(text: string): void {
    this.#stderr.write(`${safeText(text)}\n`);
  }

  /** An error where the caller reads JSON. */
  complainJson(error: object): void {
    this.#stderr.write(`${safeJson(JSON.stringify({ error }))}\n`);
  }

  #raw(lines: readonly string[]): void {
    for (const line of lines) this.#stdout.write(`${line}\n`);
  }
}
