import type { Readable } from 'node:stream';
import { EngineRefused, EngineUnavailable } from '../../errors.ts';
import { engineRefusal } from './errors.ts';
import { readLines } from './lines.ts';

/** One line of a pull's, a build's or an import's answer. */
interface Message {
  error?: string;
  errorDetail?: { message?: string };
}

/**
 * Reads the messages of a stream to their end. The status was 200 before the work began: an error comes as a message.
 * @throws EngineProblem, EngineUnavailable when the stream breaks off
 */
export async function readMessages(stream: Readable, doing: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const line of readLines(stream)) {
      const message = parse(line);
      const words = message.errorDetail?.message ?? message.error;
      if (words !== undefined) throw engineRefusal(doing, words);
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof EngineRefused) throw cause;
    const sentence = `${doing}: The connection to the engine broke off: check that it runs, then try again.`;
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
