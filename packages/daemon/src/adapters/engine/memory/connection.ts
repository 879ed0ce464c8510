import type { Duplex } from 'node:stream';
import { connectTcp } from '../connect-tcp.ts';
import { EngineRefused } from '../errors.ts';
import type { SimulatedEngineState } from './state.ts';

/**
 * Connects to a TCP server in the test process, which replaces a program in a simulated container.
 * @throws EngineRefused if the container does not run, or the test has no server for the port
 */
export function openConnection(
  state: SimulatedEngineState,
  id: string,
  port: number,
  signal: AbortSignal,
): Promise<Duplex> {
  const localPort = state.listeners.get(port);
  if (state.containers.get(id)?.state !== 'running' || localPort === undefined)
    throw new EngineRefused(`No program in the container accepts connections on port ${port}.`);
  return connectTcp('127.0.0.1', localPort, signal);
}
