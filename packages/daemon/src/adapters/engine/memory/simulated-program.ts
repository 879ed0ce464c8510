import type { MemoryContainer } from './container.ts';

/** What a simulated program may see and do. */
export interface SimulatedRun {
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Null: the image's own. */
  user: string | null;
  container: Readonly<MemoryContainer>;
  /** Ends where no input was given, or that has ended. */
  stdin: AsyncIterable<Uint8Array>;
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array | string): Promise<void>;
  complain(text: string): void;
  /** Aborts when the program is to end. */
  signal: AbortSignal;
}

/** Runs to its end, and answers with its exit code. */
export type SimulatedProgram = (run: SimulatedRun) => Promise<number>;
