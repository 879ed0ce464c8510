import type { Terminal, TerminalSize } from '../engine.ts';
import type { DockerContext } from './context.ts';

/** Starts a program with a terminal inside a running instance. */
export async function openTerminal(
  _context: DockerContext,
  _id: string,
  _command: string[],
  _size: TerminalSize,
  _signal: AbortSignal,
): Promise<Terminal> {
  throw new Error('not made yet');
}
