import type { Terminal } from '../../adapters/engine/terminal.ts';

/**
 * Output of a shell. Without a terminal, `stderr` is separate. `end` means that a TCP connection will send no more
 * data.
 */
export type ShellOutput = Buffer | { stderr: string } | { end: true };

/** Program of a shell, with or without a terminal. A TCP connection has the same interface. */
export interface ShellProgram extends Omit<Terminal, 'output'> {
  output: AsyncIterable<ShellOutput>;
  /** Ends the input of the program. The function is absent for a terminal, because users press Ctrl-D there. */
  endInput?: () => void;
}
