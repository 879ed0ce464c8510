import { BoundedQueue } from './bounded-queue.ts';

/**
 * Yields the items of several sources in the order of their arrival. The generator buffers at most one item of each
 * source, so a slow reader slows down all sources. The generator ends when the first source ends, and fails when any
 * source fails.
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
    // The signal of each source ends it. Errors of `return` are ignored.
    for (const source of sources) source.return?.()?.catch(() => undefined);
  }
}
