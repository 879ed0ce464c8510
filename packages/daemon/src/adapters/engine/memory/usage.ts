import type { InstanceUsage } from '../instance.ts';
import type { MemoryContainer } from './container.ts';
import type { SimulatedEngineState } from './state.ts';

const MIB = 1024 ** 2;

/**
 * Returns the CPU, memory and network use of simulated containers. CPU time and network traffic grow at constant rates
 * after the start of a container. The rates depend on the container id.
 */
export function readUsage(state: SimulatedEngineState, ids: readonly string[], at: Date): Map<string, InstanceUsage> {
  const found = new Map<string, InstanceUsage>();
  for (const id of ids) {
    const container = state.containers.get(id);
    if (container?.state === 'running') found.set(id, usageOf(container, at));
  }
  return found;
}

function usageOf({ id, startedAt, limits }: MemoryContainer, at: Date): InstanceUsage {
  // The ids of simulated containers are hashes, so two hex digits of a container id serve as a random number.
  const [cpu = 0, memory = 0, received = 0, sent = 0] = [0, 2, 4, 6].map((offset) =>
    Number.parseInt(id.slice(offset, offset + 2), 16),
  );
  const ms = Math.max(0, at.getTime() - (startedAt?.getTime() ?? at.getTime()));
  const memoryBytes = (16 + memory / 4) * MIB;
  return {
    at,
    // The simulated CPU use is between 1 % and about 27 % of a core.
    cpuNs: Math.round(ms * 1e6 * (0.01 + cpu / 1_000)),
    memoryBytes: limits.memoryBytes === null ? memoryBytes : Math.min(memoryBytes, limits.memoryBytes),
    memoryLimitBytes: limits.memoryBytes,
    receivedBytes: Math.round(ms * (1 + received)),
    sentBytes: Math.round(ms * (1 + sent)),
  };
}
