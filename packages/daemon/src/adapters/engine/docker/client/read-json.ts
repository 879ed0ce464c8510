import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EngineUnavailable } from '../../errors.ts';

/**
 * Reads and parses a JSON body without a deadline.
 * @throws EngineUnavailable if the body breaks off
 * @throws the reason of the signal on abort
 */
export async function readJson<T>(stream: Readable, doing: string, signal: AbortSignal): Promise<T> {
  try {
    return JSON.parse(await text(stream)) as T;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new EngineUnavailable(`The connection to the engine was lost (${doing}). Check that it runs.`, { cause });
  }
}
