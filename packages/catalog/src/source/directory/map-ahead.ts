/**
 * Maps items and returns the results in order, with a concurrency of at most `width`. Work continues while the consumer
 * is busy.
 */
export async function* mapAhead<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  width: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  try {
    for await (const item of items) {
      const mapped = map(item);
      underWay.push(mapped);
      // An early rejection must not be reported as unhandled. The consumer receives the error when the item is next.
      mapped.catch(() => undefined);
      const first = underWay.length >= width ? underWay.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first;
  } finally {
    // The consumer has stopped, so errors of the remaining work are ignored.
    await Promise.allSettled(underWay);
  }
}
