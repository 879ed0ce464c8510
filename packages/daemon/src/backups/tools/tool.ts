import type { Place } from './program.ts';

/** A database that answers, and what its tools are let in with. */
export interface DumpedDatabase extends Place {
  /** The server's version, `15`. */
  version: string;
  username: string;
  password: string;
  /** Null: the engine has none with names. */
  database: string | null;
}

/** How many rows, keys or documents there were of each thing: exactly, or within what was counted before and after. */
export type Counts = Record<string, number | [least: number, most: number]>;

export interface Dump {
  /** What the tool writes. It throws instead of ending where the tool failed. */
  bytes: AsyncIterable<Uint8Array>;
  /** What was in there; resolves once all the bytes were taken. Never rejects for what the bytes have thrown already. */
  counts: () => Promise<Counts>;
}

/** How one engine is written out and read in again, with its own tools. */
export interface DumpTool {
  /** Writes out what a database has at one moment, while it goes on serving. */
  dump(of: DumpedDatabase): Promise<Dump>;
  /** Reads a dump into a database that is new. @throws ToolFailed */
  restore(into: DumpedDatabase, dump: AsyncIterable<Uint8Array>): Promise<void>;
  /** What is in there now. */
  count(of: DumpedDatabase): Promise<Record<string, number>>;
}
