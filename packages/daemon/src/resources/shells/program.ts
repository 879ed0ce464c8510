import type { Terminal } from '../../adapters/engine/terminal.ts';

/** Output of a shell. Without a terminal, `stderr` is separate from the other output. */
export type ShellOutput = Buffer | { stderr: string };

/** Program of a shell: with a terminal, or without one (see `openPipe`). */
export interface ShellProgram extends Omit<Terminal, 'output'> {
  output: AsyncIterable<ShellOutput>;
  /** Ends the input of the program. Absent for a terminal, where users type Ctrl-D instead. */
  endInput?: () => void;
}
