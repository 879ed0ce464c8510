import type { Duplex } from 'node:stream';
import type { Execution, ExecutionInput, Program } from './execution.ts';
import type { OneOff, OneOffResult, TakeLine } from './one-off.ts';
import type { Terminal, TerminalSize } from './terminal.ts';

/** Operations that run programs in containers, or connect to programs in running containers. */
export interface EnginePrograms {
  /**
   * Runs a command in a new container. When the command ends or the signal aborts, the container is removed. If the
   * abort reason is `LeftRunning`, the container keeps running.
   * @param onLine receives each output line once
   */
  runOnce(oneOff: OneOff, signal: AbortSignal, onLine?: TakeLine): Promise<OneOffResult>;
  /**
   * Starts a program with a terminal in a running container. The program ends if the signal aborts or the terminal is
   * disposed.
   * @throws EngineRefused if the container is stopped or lacks the program
   */
  openTerminal(id: string, program: Program, size: TerminalSize, signal: AbortSignal): Promise<Terminal>;
  /**
   * Runs a program in a running container, without a shell and without a terminal. The program ends if the signal
   * aborts.
   * @throws EngineRefused if the container is stopped or lacks the program
   */
  execute(id: string, program: Program, input: ExecutionInput): Promise<Execution>;
  /**
   * Opens a TCP connection to a port of a running container. Each side can close its own sending direction. If the
   * signal aborts, the connection is closed.
   * @throws EngineRefused if the container is stopped, or no program listens on the port
   */
  openConnection(id: string, port: number, signal: AbortSignal): Promise<Duplex>;
}
