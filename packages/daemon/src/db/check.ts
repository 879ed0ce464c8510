import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isDamage } from '@davit/service';

const WORKER = new URL('./check-worker.mjs', import.meta.url);

/**
 * Runs a full SQLite integrity check of a database file in a worker thread, so that the daemon is not blocked. The
 * check takes about 15 s of CPU time per GiB.
 * @returns the problems that SQLite reports, for the log; an empty array if the file is intact
 */
export async function checkDatabase(path: string, signal: AbortSignal): Promise<string[]> {
  const worker = new Worker(WORKER, { workerData: { path }, resourceLimits: { maxOldGenerationSizeMb: 16 } });
  try {
    const [found] = (await once(worker, 'message', { signal })) as [string[]];
    return found;
  } catch (error) {
    // Some damage, such as an unreadable schema, makes SQLite throw an error before it reports any problem.
    if (isDamage(error)) return [(error as Error).message];
    throw error;
  } finally {
    void worker.terminate();
  }
}
