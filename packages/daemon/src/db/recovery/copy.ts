import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LostRows } from '@davit/api';
import { PROTECTED_TABLES } from '../macs/protected.ts';
import { MIGRATIONS } from '../migrations/index.ts';

const WORKER = new URL('./copy-worker.mjs', import.meta.url);

/** Map from each protected table to the SQL expression for the keys of its rows `t`. */
const KEYS = Object.fromEntries(PROTECTED_TABLES.map(({ name, keyOf }) => [name, keyOf('t')]));

export interface Copied {
  /** Number of copied rows. */
  rows: number;
  lost: LostRows[];
}

/**
 * Copies a SQLite file to a new file. If the file is damaged, copies each row that can be read. The copy runs in a
 * worker thread, because it reads the whole file.
 * @throws Error of SQLite if no row can be read, or if the disk is full
 */
export async function copyDatabase(source: string, target: string, signal: AbortSignal): Promise<Copied> {
  const worker = new Worker(WORKER, { workerData: { source, target, migrations: MIGRATIONS, keys: KEYS } });
  try {
    const [copied] = (await once(worker, 'message', { signal })) as [Copied];
    return copied;
  } finally {
    await worker.terminate();
  }
}
