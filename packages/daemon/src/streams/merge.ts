import { BoundedQueue } from './bounded-queue.ts';

/**
 * What several sources yield, in the order in which it comes. One item of each is held at most, so that whoever reads
 * slowly is waited for by all of them. It ends with the first source, and fails with any.
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
    // Each ends with the signal that it has; what one says to that concerns nobody.
    for (const source of sources) source.return?.()?.catch(() => undefined);
  }
}
