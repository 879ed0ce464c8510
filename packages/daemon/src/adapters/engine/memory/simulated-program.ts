import type { MemoryContainer } from './container.ts';

/** Arguments, environment variables and streams of a simulated program that runs in a container. */
export interface SimulatedRun {
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Name or number of the Unix user, or `null` for the user of the image. */
  user: string | null;
  container: Readonly<MemoryContainer>;
  /** Input of the simulated program. Without input from the caller, the iterator is empty. */
  stdin: AsyncIterable<Uint8Array>;
  /** Writes to the stdout of the simulated program. Resolves when stdout can accept more data. */
  write(bytes: Uint8Array | string): Promise<void>;
  complain(text: string): void;
  /** Signal that aborts when the simulated program is killed. */
  signal: AbortSignal;
}

/** Function that simulates a program. The promise resolves with the exit code when the program ends. */
export type SimulatedProgram = (run: SimulatedRun) => Promise<number>;
