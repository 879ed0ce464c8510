import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EngineUnavailable } from '../../errors.ts';

/**
 * Reads a response body without a deadline and parses the body as JSON.
 * @throws EngineUnavailable if the connection breaks
 * @throws the abort reason if the signal is aborted
 */
export async function readJson<T>(stream: Readable, doing: string, signal: AbortSignal): Promise<T> {
  try {
    return JSON.parse(await text(stream)) as T;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new EngineUnavailable(`The connection to Docker was lost (${doing}). Check that Docker is running.`, {
      cause,
    });
  }
}
