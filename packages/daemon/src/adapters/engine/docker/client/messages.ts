import type { Readable } from 'node:stream';
import { EngineRefused, EngineUnavailable } from '../../errors.ts';
import { engineRefusal } from './errors.ts';
import { readLines } from './lines.ts';

/** One line of JSON in Docker's response to an image pull or image import. */
interface Message {
  error?: string;
  errorDetail?: { message?: string };
}

/**
 * Reads Docker's whole response to an image pull or image import.
 * @throws EngineProblem
 * @throws EngineUnavailable if the connection breaks
 * @throws the abort reason
 */
export async function readMessages(stream: Readable, doing: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const line of readLines(stream)) {
      const message = parse(line);
      const words = message.errorDetail?.message ?? message.error;
      // Docker sends HTTP status 200 before the work begins. A later error is therefore only in the response body.
      if (words !== undefined) throw engineRefusal(doing, words);
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof EngineRefused) throw cause;
    const sentence = `The connection to Docker was lost (${doing}). Check that Docker is running, then try again.`;
    throw new EngineUnavailable(sentence, { cause });
  } finally {
    stream.destroy();
  }
}

function parse(line: string): Message {
  if (line.trim() === '') return {};
  const message: unknown = JSON.parse(line);
  return typeof message === 'object' && message !== null ? message : {};
}
