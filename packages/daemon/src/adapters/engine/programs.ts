import type { LeftRunning } from './errors.ts';
import type { Execution, ExecutionInput, Program } from './execution.ts';
import type { OneOff, OneOffResult, TakeLine } from './one-off.ts';
import type { Terminal, TerminalSize } from './terminal.ts';

/** Operations that run programs in a new container or inside a running container. */
export interface EnginePrograms {
  /**
   * Runs a command in a new container and waits until the command ends. Then removes the container. On abort, also
   * removes the container, unless the abort reason is {@link LeftRunning}.
   * @param onLine receives each output line once. The last lines are also in the result
   */
  runOnce(oneOff: OneOff, signal: AbortSignal, onLine?: TakeLine): Promise<OneOffResult>;
  /**
   * Starts a program with a terminal inside a running container. To close the terminal, abort the signal or dispose the
   * returned object.
   * @throws EngineRefused if the container does not run or does not have the program
   */
  openTerminal(id: string, command: string[], size: TerminalSize, signal: AbortSignal): Promise<Terminal>;
  /**
   * Runs a program inside a running container, without a shell and without a terminal. Input and output have
   * backpressure: a slow reader makes the writer wait. An abort ends the program.
   * @throws EngineRefused if the container does not run or does not have the program
   */
  execute(id: string, program: Program, input: ExecutionInput): Promise<Execution>;
}
