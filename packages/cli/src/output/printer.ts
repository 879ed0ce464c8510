import type { Output, Runtime } from '../process/runtime.ts';
import { isName } from './names.ts';
import { hasColour, type Paint, painter, type Style } from './paint.ts';
import { type Field, recordLines } from './record.ts';
import { safeJson, safeLine, safePainted, safeText } from './safe-text.ts';
import { type Column, tableLines } from './table.ts';

export interface ListView<Row> {
  columns: readonly Column<Row>[];
  /** Returns the ID of a list row. If `--quiet` is set, the CLI prints only these IDs. */
  id: (row: Row) => string | number;
  /**
   * Whether shell completion suggests the IDs. If so, `--quiet` omits IDs with special characters, because the shell
   * could interpret these characters.
   */
  isCompleted?: true;
  /** Text that is printed if the list is empty. It contains the command that creates the first item. */
  empty: string;
}

/**
 * Prints the output of a command. The printer removes control characters from every text, so the color of a text is a
 * separate argument.
 */
export class Printer {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly paint: Paint;
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #paintNotes: Paint;
  readonly #hasColour: boolean;

  constructor(runtime: Runtime, { json, quiet, noColor }: { json: boolean; quiet: boolean; noColor: boolean }) {
    this.isJson = json;
    this.isQuiet = quiet;
    this.#stdout = runtime.stdout;
    this.#stderr = runtime.stderr;
    this.#hasColour = hasColour(runtime.stdout, runtime.env, noColor);
    this.paint = painter(this.#hasColour);
    this.#paintNotes = painter(hasColour(runtime.stderr, runtime.env, noColor));
  }

  /**
   * Width of the terminal in characters. `null` if stdout is not a terminal, or if the width is unknown. In this case,
   * long lines are not cut.
   */
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

  /**
   * Prints the result of a change. Prints the API response if `--json` is set, the ID if `--quiet` is set, and a
   * sentence otherwise.
   */
  done(value: unknown, sentence: string, id: string | number = ''): void {
    if (this.isJson) this.json(value);
    else if (!this.isQuiet) this.line(sentence);
    else if (id !== '') this.line(String(id));
  }

  /** Prints a value as JSON. If the API response is empty, prints `null`, so that stdout is always valid JSON. */
  json(value: unknown): void {
    this.#stdout.write(`${safeJson(JSON.stringify(value ?? null, null, 2))}\n`);
  }

  /** Prints a value as JSON on one line (JSON Lines). */
  jsonLine(value: unknown): void {
    this.#stdout.write(`${safeJson(JSON.stringify(value))}\n`);
  }

  line(text: string, style?: Style): void {
    this.#raw([this.paint(safeLine(text), style)]);
  }

  /** Prints a line that already contains color codes. */
  painted(line: string): void {
    this.#raw([line]);
  }

  text(text: string): void {
    this.#stdout.write(safeText(text));
  }

  /** Prints a message to stderr, except if `--quiet` is set. */
  note(text: string, style?: Style): void {
    if (!this.isQuiet) this.#stderr.write(`${this.#paintNotes(safeLine(text), style)}\n`);
  }

  /** Prints an error message to stderr, even if `--quiet` is set. */
  complain(text: string): void {
    this.#stderr.write(`${this.#paintNotes('error:', 'red')} ${safeLine(text)}\n`);
  }

  /** Prints an explanation of an error to stderr, even if `--quiet` is set. */
  explain(text: string): void {
    this.#stderr.write(`${safeText(text)}\n`);
  }

  /** Prints an error as JSON to stderr. */
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
