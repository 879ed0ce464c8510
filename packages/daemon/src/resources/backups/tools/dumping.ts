import type { Dump, DumpedDatabase, DumpTool } from './tool.ts';

/**
 * Has a dump while `use` is at work with it. What the tool has begun ends with that, also when nothing of the dump was ever
 * read: a session that went on would keep the server from tidying up.
 */
export async function dumping<T>(tool: DumpTool, of: DumpedDatabase, use: (dump: Dump) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const dump = await tool.dump({ ...of, signal: AbortSignal.any([of.signal, stop.signal]) }).catch((error: unknown) => {
    stop.abort(new Error('the dump could not begin'));
    throw error;
  });
  try {
    return await use(dump);
  } finally {
    stop.abort(new Error('the dump has come to its end'));
    await dump.end?.();
  }
}
