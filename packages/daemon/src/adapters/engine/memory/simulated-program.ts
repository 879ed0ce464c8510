import type { MemoryContainer } from './container.ts';

/** Properties and functions for a simulated program. */
export interface SimulatedRun {
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Name or number of the user, or `null` for the user of the image. */
  user: string | null;
  container: Readonly<MemoryContainer>;
  /** Input of the program. The iteration ends at the end of the input, or immediately if there is no input. */
  stdin: AsyncIterable<Uint8Array>;
  /** Resolves when the output can accept more data. */
  write(bytes: Uint8Array | string): Promise<void>;
  complain(text: string): void;
  /** Aborts when the program must end. */
  signal: AbortSignal;
}

/** Runs a program until it ends and returns its exit code. */
export type SimulatedProgram = (run: SimulatedRun) => Promise<number>;
