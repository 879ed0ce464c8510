import type { Engine } from '../../adapters/engine/engine.ts';
import type { Logs } from './logs.ts';

/**
 * Returns a Docker client that saves the last log lines of a container before it removes the container. Docker deletes
 * the container's log together with the container.
 */
export function keepingLogs(engine: Engine, logs: Logs): Engine {
  return {
    ...engine,
    async remove(id) {
      await logs.settle(id);
      await engine.remove(id);
    },
  };
}
