import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isDamage } from '@davit/service';

const WORKER = new URL('./check-worker.mjs', import.meta.url);

/**
 * Checks a SQLite file for damage. The check runs in a worker thread, because it takes about 15 s of CPU time per GiB.
 * @returns problems for the log; empty if the file is not damaged
 */
export async function checkDatabase(path: string, signal: AbortSignal): Promise<string[]> {
  const worker = new Worker(WORKER, { workerData: { path }, resourceLimits: { maxOldGenerationSizeMb: 16 } });
  try {
    const [found] = (await once(worker, 'message', { signal })) as [string[]];
    return found;
  } catch (error) {
    // If the schema is unreadable, for example, SQLite throws an error before it reports any problem.
    if (isDamage(error)) return [(error as Error).message];
    throw error;
  } finally {
    void worker.terminate();
  }
}
