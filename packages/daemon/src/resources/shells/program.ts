import type { Terminal } from '../../adapters/engine/terminal.ts';

/** Output of a shell. Without a terminal, `stderr` is separate. `end` is the end of the data of a TCP connection. */
export type ShellOutput = Buffer | { stderr: string } | { end: true };

/** Program of a shell: with a terminal, or without one (see `openPipe`). A TCP connection also counts as one. */
export interface ShellProgram extends Omit<Terminal, 'output'> {
  output: AsyncIterable<ShellOutput>;
  /** Ends the input of the program. Absent for a terminal, where users type Ctrl-D instead. */
  endInput?: () => void;
}
