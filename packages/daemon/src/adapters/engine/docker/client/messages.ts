import type { Readable } from 'node:stream';
import { EngineRefused, EngineUnavailable } from '../../errors.ts';
import { engineRefusal } from './errors.ts';
import { readLines } from './lines.ts';

/** One JSON line of Docker's response to an image pull or import. */
interface Message {
  error?: string;
  errorDetail?: { message?: string };
}

/**
 * Reads all messages of an image pull or import.
 * @throws EngineProblem
 * @throws EngineUnavailable if the connection breaks
 * @throws the abort reason
 */
export async function readMessages(stream: Readable, doing: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const line of readLines(stream)) {
      const message = parse(line);
      const words = message.errorDetail?.message ?? message.error;
      // Docker sends status 200 before the work begins, so only a message reports an error.
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
