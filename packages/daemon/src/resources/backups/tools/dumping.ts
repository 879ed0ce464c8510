import type { Dump, DumpedDatabase, DumpTool } from './tool.ts';

/**
 * Takes a dump and calls `use` with it. Ends all programs and sessions of the tool afterwards, even if nothing of the
 * dump was read.
 * A remaining session would prevent the server's cleanup of old rows.
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
