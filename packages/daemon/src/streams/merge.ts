import { BoundedQueue } from './bounded-queue.ts';

/**
 * Merges several streams. Returns each item when it arrives. Ends when `main` ends, or when one of the streams fails.
 * Buffers only one item for each stream, so that the streams wait for a slow reader.
 */
export async function* mergeStreams<T>(main: AsyncIterator<T>, others: readonly AsyncIterator<T>[]): AsyncGenerator<T> {
  const sources = [main, ...others];
  const ready = new BoundedQueue<{ source: AsyncIterator<T>; result: IteratorResult<T> } | { failure: unknown }>();
  const pull = (source: AsyncIterator<T>) =>
    void source.next().then(
      (result) => void ready.push({ source, result }),
      (failure: unknown) => void ready.push({ failure }),
    );
  try {
    for (const source of sources) pull(source);
    for await (const next of ready) {
      if ('failure' in next) throw next.failure;
      if (!next.result.done) {
        yield next.result.value;
        pull(next.source);
      } else if (next.source === main) return;
    }
  } finally {
    // Closes the streams and ignores errors. Each stream also ends when its abort signal aborts.
    for (const source of sources) source.return?.()?.catch(() => undefined);
  }
}
