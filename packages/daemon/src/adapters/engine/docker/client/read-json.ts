import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EngineUnavailable } from '../../errors.ts';

/** Reads a body that may take its time. @throws EngineUnavailable when it breaks off, the signal's reason on abort */
export async function readJson<T>(stream: Readable, doing: string, signal: AbortSignal): Promise<T> {
  try {
    return JSON.parse(await text(stream)) as T;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw new EngineUnavailable(`The connection to the engine broke off (${doing}): check that it runs.`, { cause });
  }
}
