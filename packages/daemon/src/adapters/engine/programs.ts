import type { LeftRunning } from './errors.ts';
import type { Execution, ExecutionInput, Program } from './execution.ts';
import type { OneOff, OneOffResult, TakeLine } from './one-off.ts';
import type { Terminal, TerminalSize } from './terminal.ts';

/** Programs that run to their end: in a container of their own, or inside a running instance. */
export interface EnginePrograms {
  /**
   * Runs to the end; on abort the container is removed, unless the reason is {@link LeftRunning}. It is removed after its
   * exit too.
   * @param onLine is told of each line once; the result has the last of them all the same
   */
  runOnce(oneOff: OneOff, signal: AbortSignal, onLine?: TakeLine): Promise<OneOffResult>;
  /**
   * Starts a program with a terminal inside a running instance; an abort is as good as disposing it.
   * @throws EngineRefused when the instance does not run or has no such program
   */
  openTerminal(id: string, command: string[], size: TerminalSize, signal: AbortSignal): Promise<Terminal>;
  /**
   * Runs a program inside a running instance, without a shell and without a terminal. Nothing is read from `stdin` and
   * nothing taken from the program faster than the other side takes it. An abort ends the program.
   * @throws EngineRefused when the instance does not run or has no such program
   */
  execute(id: string, program: Program, input: ExecutionInput): Promise<Execution>;
}
