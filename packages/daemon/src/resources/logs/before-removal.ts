import type { Engine } from '../../adapters/engine/engine.ts';
import type { Logs } from './logs.ts';

/** The engine, with a removal that first lets the container's last lines be stored: they go with it. */
export function keepingLogs(engine: Engine, logs: Logs): Engine {
  return {
    ...engine,
    async remove(id) {
      await logs.settle(id);
      await engine.remove(id);
    },
  };
}
