import type { Output, World } from '../process/world.ts';
import { isName } from './names.ts';
import { hasColour, type Paint, painter, type Style } from './paint.ts';
import { type Field, recordLines } from './record.ts';
import { safeJson, safeLine, safePainted, safeText } from './safe-text.ts';
import { type Column, tableLines } from './table.ts';

export interface ListView<Row> {
  columns: readonly Column<Row>[];
  /** Returns the id of a row for `--quiet`. */
  id: (row: Row) => string | number;
  /** Whether shells complete with the ids. A quiet list then leaves out texts that are not safe names for a shell. */
  isCompleted?: true;
  /** Text for an empty list, with what to do. */
  empty: string;
}

/**
 * Prints all output of a command. With `--json` the output is exactly the API's answer, and with `--quiet` only ids.
 * All text is made safe for the terminal. Styles are separate arguments, so that no text needs escape sequences.
 */
export class Printer {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Applies styles for stdout. */
  readonly paint: Paint;
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #paintNotes: Paint;
  readonly #hasColour: boolean;

  constructor(world: World, { json, quiet, noColor }: { json: boolean; quiet: boolean; noColor: boolean }) {
    this.isJson = json;
    this.isQuiet = quiet;
    this.#stdout = world.stdout;
    this.#stderr = world.stderr;
    this.#hasColour = hasColour(world.stdout, world.env, noColor);
    this.paint = painter(this.#hasColour);
    this.#paintNotes = painter(hasColour(world.stderr, world.env, noColor));
  }

  /** Width in cells. If stdout is not a terminal or its width is unknown, the width is `null` and no line is cut. */
  get width(): number | null {
    return (this.#stdout.isTTY && this.#stdout.columns) || null;
  }

  list<Row>(rows: readonly Row[], { columns, id, isCompleted, empty }: ListView<Row>): void {
    if (this.isJson) this.json(rows);
    else if (this.isQuiet)
      this.#ids(
        rows.map((row) => String(id(row))),
        isCompleted ?? false,
      );
    else if (rows.length === 0) this.note(empty);
    else this.#raw(tableLines(rows, columns, this.width, this.paint));
  }

  record(value: unknown, fields: readonly Field[], id: string | number): void {
    if (this.isJson) this.json(value);
    else if (this.isQuiet) this.line(String(id));
    else this.#raw(recordLines(fields, this.paint));
  }

  /** Prints the result of a change: the answer, the id of the changed resource, or a sentence. */
  done(value: unknown, sentence: string, id: string | number = ''): void {
    if (this.isJson) this.json(value);
    else if (!this.isQuiet) this.line(sentence);
    else if (id !== '') this.line(String(id));
  }

  /** Prints JSON. An operation without an answer prints `null`, so that the output is always JSON. */
  json(value: unknown): void {
    this.#stdout.write(`${safeJson(JSON.stringify(value ?? null, null, 2))}\n`);
  }

  /** Prints one value per line, as JSON Lines. */
  jsonLine(value: unknown): void {
    this.#stdout.write(`${safeJson(JSON.stringify(value))}\n`);
  }

  line(text: string, style?: Style): void {
    this.#raw([this.paint(safeLine(text), style)]);
  }

  /** Prints a line that is already styled. */
  painted(line: string): void {
    this.#raw([line]);
  }

  /** Prints text with several lines. */
  text(text: string): void {
    this.#stdout.write(safeText(text));
  }

  /** Prints a note for people to stderr, except with `--quiet`. */
  note(text: string, style?: Style): void {
    if (!this.isQuiet) this.#stderr.write(`${this.#paintNotes(safeLine(text), style)}\n`);
  }

  /** Prints an error to stderr, also with `--quiet`. */
  complain(text: string): void {
    this.#stderr.write(`${this.#paintNotes('error:', 'red')} ${safeLine(text)}\n`);
  }

  /** Prints lines to stderr that explain an error. */
  explain(text: string): void {
    this.#stderr.write(`${safeText(text)}\n`);
  }

  /** Prints an error as JSON, for callers that read JSON. */
  complainJson(error: object): void {
    this.#stderr.write(`${safeJson(JSON.stringify({ error }))}\n`);
  }

  #ids(ids: readonly string[], areCompleted: boolean): void {
    for (const id of ids) if (!areCompleted || isName(id)) this.line(id);
  }

  #raw(lines: readonly string[]): void {
    for (const line of lines) this.#stdout.write(`${safePainted(line, this.#hasColour)}\n`);
  }
}
