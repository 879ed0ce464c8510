import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isDamage } from '@davit/service';

const WORKER = new URL('./check-worker.mjs', import.meta.url);

/**
 * Checks the whole database in a worker thread, while the daemon uses the database. The check takes about 15 s of
 * processor time per GiB.
 * @returns the findings of SQLite, for the log; an empty array if the file is intact
 */
export async function checkDatabase(path: string, signal: AbortSignal): Promise<string[]> {
  const worker = new Worker(WORKER, { workerData: { path }, resourceLimits: { maxOldGenerationSizeMb: 16 } });
  try {
    const [found] = (await once(worker, 'message', { signal })) as [string[]];
    return found;
  } catch (error) {
    // Some damage, such as an unreadable schema, makes the check fail before it returns findings.
    if (isDamage(error)) return [(error as Error).message];
    throw error;
  } finally {
    void worker.terminate();
  }
}
