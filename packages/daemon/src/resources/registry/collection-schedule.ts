/** Schedule of the registry's automatic garbage collection. */
import type { Logger } from '@davit/service';
import { RegistryUnavailable } from '../../adapters/registry/registry.ts';
import { nextTime } from '../../time/cron.ts';
import type { RegistryDeps } from './deps.ts';

/** Delay in milliseconds after which a failed garbage collection of the registry is retried. */
const AGAIN_MS = 10 * 60_000;

type Parts = Pick<RegistryDeps, 'settings' | 'now' | 'collector'>;

/**
 * Runs a garbage collection of the registry if one is due. If several were missed while the daemon was stopped, runs
 * only one. Tries again soon after a failure.
 * @param since start of the schedule in milliseconds since the epoch, used if there was no garbage collection yet
 * @returns milliseconds until the next garbage collection
 */
export async function collectWhenDue(core: Parts, since: number, log: Logger): Promise<number> {
  const { collector, now } = core;
  if ((await nextCollection(core, since)) <= now() && !collector.running) await collectNow(core, log);
  collector.nextAt = await nextCollection(core, since);
  return Math.max(1, collector.nextAt - now());
}

async function nextCollection({ settings, collector, now }: Parts, since: number): Promise<number> {
  if (collector.isWanted) return now();
  const { collect_cron: cron, time_zone: zone } = settings().registry;
  const last = collector.last();
  const after = last?.at ?? since;
  const byCron = await nextTime(cron, zone, after);
  return last === null || last.error === null ? byCron : Math.min(byCron, last.at + AGAIN_MS);
}

async function collectNow({ collector }: Parts, log: Logger): Promise<void> {
  try {
    const { manifests, blobs, freedBytes, tags, repositories } = await collector.collect();
    const removed = { manifests, blobs, freedBytes, tags: tags.length, repositories: repositories.length };
    log.info(removed, 'garbage collection of the registry finished');
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    log.warn({ error }, 'garbage collection of the registry failed; Davit tries again');
  }
}
