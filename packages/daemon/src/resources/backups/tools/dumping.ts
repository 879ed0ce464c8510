import type { Dump, DumpedDatabase, DumpTool } from './tool.ts';

/**
 * Calls `use` with a dump and then stops the dump tool. If the session of the dump tool stayed open, the database
 * server could not remove old row versions.
 */
export async function dumping<T>(tool: DumpTool, of: DumpedDatabase, use: (dump: Dump) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const dump = await tool.dump({ ...of, signal: AbortSignal.any([of.signal, stop.signal]) }).catch((error: unknown) => {
    stop.abort(new Error('the dump could not start'));
    throw error;
  });
  try {
    return await use(dump);
  } finally {
    stop.abort(new Error('the dump has ended'));
    await dump.end?.();
  }
}
