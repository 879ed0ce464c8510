import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isDamage } from '@davit/service';

const WORKER = new URL('./check-worker.mjs', import.meta.url);

/**
 * Checks the whole database in a thread of its own, while it is in use: about 15 s of processor time per GiB.
 * @returns what SQLite found, for the log; nothing if the file is whole
 */
export async function checkDatabase(path: string, signal: AbortSignal): Promise<string[]> {
  const worker = new Worker(WORKER, { workerData: { path }, resourceLimits: { maxOldGenerationSizeMb: 16 } });
  try {
    const [found] = (await once(worker, 'message', { signal })) as [string[]];
    return found;
  } catch (error) {
    // A schema that cannot be read, for one, ends the check before its first answer.
    if (isDamage(error)) return [(error as Error).message];
    throw error;
  } finally {
    void worker.terminate();
  }
}
