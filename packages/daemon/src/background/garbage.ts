import type { Logger } from '@davit/service';
import { cronTimes } from '../core/cron.ts';
import { RegistryUnavailable } from '../registry/registry.ts';
import type { Base } from '../release/base.ts';
import type { RegistryCollector } from '../release/registry-collector.ts';
import type { Task } from './reconciler.ts';

/** Clocks and settings change: the next time is looked at so often. */
const LOOK_MS = 60_000;
/** After one that did not succeed. */
const AGAIN_MS = 10 * 60_000;

/**
 * Collects what nothing in the registry needs at the times that the settings name. A time at which the instance was not
 * running is caught up with once; one that did not succeed is tried again soon.
 */
export function garbageTask(base: Pick<Base, 'settings' | 'now'>, collector: RegistryCollector, log: Logger): Task {
  const startedAt = base.now();
  return {
    name: 'garbage',
    everyMs: LOOK_MS,
    async run() {
      const { collect_cron: cron, time_zone: zone } = base.settings().registry;
      const times = await cronTimes();
      const next = () => {
        const last = collector.last();
        const byCron = times.next(cron, zone, last?.at ?? startedAt);
        return last === null || last.error === null ? byCron : Math.min(byCron, last.at + AGAIN_MS);
      };
      if (next() <= base.now() && !collector.running) await collectNow(collector, log);
      collector.nextAt = next();
      return Math.max(1, Math.min(LOOK_MS, collector.nextAt - base.now()));
    },
  };
}

async function collectNow(collector: RegistryCollector, log: Logger): Promise<void> {
  try {
    const { manifests, blobs, freedBytes, tags, repositories } = await collector.collect();
    const removed = { manifests, blobs, freedBytes, tags: tags.length, repositories: repositories.length };
    log.info(removed, 'registry: collected what nothing needs');
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    log.warn({ error }, 'registry: nothing was collected');
  }
}
