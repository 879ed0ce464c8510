import type { Engine } from '../../adapters/engine/engine.ts';
import type { Logs } from './logs.ts';

/**
 * Returns a Docker client that saves a container's last log lines before its removal, because Docker deletes the log
 * too.
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
