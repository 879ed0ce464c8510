import type { Terminal } from '../engine.ts';
import { EngineRefused } from '../engine.ts';
import type { MemoryWorld } from './world.ts';

/** A simulated terminal inside a simulated instance. */
export function openTerminal(world: MemoryWorld, id: string, _command: string[], _signal: AbortSignal): Terminal {
  const container = world.containers.get(id);
  if (container?.state !== 'running') throw new EngineRefused('open terminal: the instance does not run');
  throw new EngineRefused('open terminal: not made yet');
}
