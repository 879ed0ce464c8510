import { ToolFailed } from './program.ts';

/**
 * Maximum of the MySQL setting `max_allowed_packet` in bytes. MySQL cannot restore a dump that contains a longer
 * statement.
 */
export const LARGEST_PACKET = 1024 ** 3;
/** Maximum number of bytes that a MySQL packet contains in addition to its SQL statement. */
const PACKET_HEAD = 1_024;

const [NEWLINE, QUOTE, OPEN, CLOSE, SEMICOLON, BACKSLASH, BACKTICK] = [10, 39, 40, 41, 59, 92, 96] as const;
const V = 86;

const INSERT = 'INSERT INTO `';
const CREATE = 'CREATE TABLE `';
/** Number of bytes at the start of each line of the SQL dump that Davit needs to recognize the statement. */
const LONGEST = 16;

type Mode = 'start' | 'rest' | 'name' | 'columns' | 'values' | 'text';

/**
 * Counts the rows in a MySQL dump. A query on the server would be inaccurate, because the number of rows can change
 * during the dump. The class also checks the lengths of INSERT statements.
 */
export class RowCounter {
  /** Map from the name of a table to its number of rows. The map includes empty tables. */
  readonly counts = new Map<string, number>();
  #mode: Mode = 'start';
  #start = '';
  /** Whether the current line is part of a stored routine. Statements in a stored routine are ignored. */
  #isInProgram = false;
  #name: number[] = [];
  #table = '';
  #isQuoted = false;
  #hasEnded = false;
  #depth = 0;
  #isEscaped = false;
  #rows = 0;
  /**
   * Byte offsets in the whole dump. `#chunkAt` is the first byte of the current chunk, and `#statementAt` is the first
   * byte of the current statement.
   */
  #chunkAt = 0;
  #statementAt = 0;
  readonly #longest: number;

  /** @param largestPacket maximum length of a MySQL packet in bytes */
  constructor(largestPacket = LARGEST_PACKET) {
    this.#longest = largestPacket - PACKET_HEAD;
  }

  /**
   * Counts the rows of a dump and returns the bytes of the dump unchanged.
   * @throws ToolFailed if a statement is longer than MySQL servers can accept
   */
  async *through(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.#push(chunk);
      yield chunk;
    }
  }

  #push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#mode === 'text') at = this.#text(chunk, at);
      else if (this.#mode === 'values') at = this.#values(chunk, at);
      else if (this.#mode === 'rest') at = this.#rest(chunk, at);
      else if (this.#mode === 'start') this.#begin(chunk[at] ?? 0, at);
      else if (this.#mode === 'name') this.#named(chunk[at] ?? 0);
      else this.#columns(chunk[at]);
    }
    this.#chunkAt += chunk.length;
  }

  #begin(byte: number, at: number): void {
    if (byte === NEWLINE) {
      if (this.#start.startsWith('DELIMITER ')) this.#isInProgram = this.#start !== 'DELIMITER ;';
      this.#start = '';
      return;
    }
    if (this.#start === '') this.#statementAt = this.#chunkAt + at;
    this.#start += String.fromCharCode(byte);
    if (!this.#isInProgram && (this.#start === INSERT || this.#start === CREATE)) this.#mode = 'name';
    else if (this.#start.length > LONGEST) this.#mode = 'rest';
  }

  #rest(chunk: Uint8Array, at: number): number {
    const end = chunk.indexOf(NEWLINE, at);
    if (end < 0) return chunk.length;
    this.#mode = 'start';
    this.#start = '';
    return end;
  }

  /** Processes one byte of a table name in backticks. Two consecutive backticks represent one backtick in the name. */
  #named(byte: number): void {
    if (this.#hasEnded && byte !== BACKTICK) this.#follow(byte);
    else if (byte === BACKTICK && !this.#hasEnded) this.#hasEnded = true;
    else {
      this.#hasEnded = false;
      this.#name.push(byte);
    }
  }

  #follow(byte: number): void {
    this.#table = Buffer.from(this.#name).toString('utf8');
    this.#name = [];
    this.#hasEnded = false;
    this.counts.set(this.#table, this.counts.get(this.#table) ?? 0);
    this.#mode = this.#start === INSERT ? 'columns' : 'rest';
    this.#start = '';
    if (this.#mode === 'columns') this.#columns(byte);
  }

  /** Skips the list of columns before the values of an INSERT statement, if the statement has such a list. */
  #columns(byte: number | undefined): void {
    if (byte === BACKTICK) this.#isQuoted = !this.#isQuoted;
    else if (byte === V && !this.#isQuoted) this.#mode = 'values';
  }

  #values(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === OPEN) this.#open();
      else if (byte === CLOSE) this.#depth -= 1;
      else if (byte === QUOTE || (byte === SEMICOLON && this.#depth === 0)) {
        if (byte === QUOTE) this.#mode = 'text';
        else this.#endStatement(at);
        return at;
      }
    }
    return chunk.length;
  }

  #endStatement(at: number): void {
    const bytes = this.#chunkAt + at - this.#statementAt;
    if (bytes > this.#longest)
      throw new ToolFailed(
        `the table “${this.#table}” has rows whose SQL statement in the dump has ${bytes} bytes, but a server accepts at most ${this.#longest} bytes`,
      );
    this.counts.set(this.#table, (this.counts.get(this.#table) ?? 0) + this.#rows);
    this.#rows = 0;
    this.#mode = 'rest';
  }

  #open(): void {
    if (this.#depth === 0) this.#rows += 1;
    this.#depth += 1;
  }

  #text(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (chunk[at] === BACKSLASH) this.#isEscaped = true;
      else if (chunk[at] === QUOTE) {
        this.#mode = 'values';
        return at;
      }
    }
    return chunk.length;
  }
}
