import type { Duplex } from 'node:stream';
import type { Execution, ExecutionInput, Program } from './execution.ts';
import type { OneOff, OneOffResult, TakeLine } from './one-off.ts';
import type { Terminal, TerminalSize } from './terminal.ts';

/** Operations that run programs in a new container or inside a running container, or connect to them. */
export interface EnginePrograms {
  /**
   * Runs a command in a new container. Removes it at the end or on abort, except for the abort reason
   * `LeftRunning`.
   * @param onLine receives each output line once
   */
  runOnce(oneOff: OneOff, signal: AbortSignal, onLine?: TakeLine): Promise<OneOffResult>;
  /**
   * Starts a program with a terminal in a running container. An abort or a disposal ends the program.
   * @throws EngineRefused if the container is stopped or lacks the program
   */
  openTerminal(id: string, program: Program, size: TerminalSize, signal: AbortSignal): Promise<Terminal>;
  /**
   * Runs a program in a running container, without shell and terminal. An abort ends the program.
   * @throws EngineRefused if the container is stopped or lacks the program
   */
  execute(id: string, program: Program, input: ExecutionInput): Promise<Execution>;
  /**
   * Opens a TCP connection to a port of a running container. Each side can end its own direction. An abort closes it.
   * @throws EngineRefused if the container is stopped, or no program listens on the port
   */
  openConnection(id: string, port: number, signal: AbortSignal): Promise<Duplex>;
}
