import type { LeftRunning } from './errors.ts';
import type { Execution, ExecutionInput, Program } from './execution.ts';
import type { OneOff, OneOffResult, TakeLine } from './one-off.ts';
import type { Terminal, TerminalSize } from './terminal.ts';

/** Calls that run programs, in a new container or inside a running container. */
export interface EnginePrograms {
  /**
   * Runs a command until it ends. On abort, the container is removed, unless the reason is {@link LeftRunning}. The
   * container is also removed after its exit.
   * @param onLine receives each line once; the result contains the last lines in any case
   */
  runOnce(oneOff: OneOff, signal: AbortSignal, onLine?: TakeLine): Promise<OneOffResult>;
  /**
   * Starts a program with a terminal inside a running container. An abort has the same effect as disposing the
   * terminal.
   * @throws EngineRefused if the container does not run or does not have the program
   */
  openTerminal(id: string, command: string[], size: TerminalSize, signal: AbortSignal): Promise<Terminal>;
  /**
   * Runs a program inside a running container, without a shell and without a terminal. Both directions have
   * backpressure: data is read from `stdin` and from the program only as fast as the other side accepts it. An abort
   * ends the program.
   * @throws EngineRefused if the container does not run or does not have the program
   */
  execute(id: string, program: Program, input: ExecutionInput): Promise<Execution>;
}
