/**
 * Maps items with at most `width` concurrent calls of `map`. Yields the results in order. The calls continue while the
 * consumer is busy.
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
      // The consumer gets the error when it reaches this item. Until then, Node must not report an unhandled rejection.
      mapped.catch(() => undefined);
      const first = underWay.length >= width ? underWay.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first;
  } finally {
    // The consumer has stopped reading, so errors of the remaining calls are ignored.
    await Promise.allSettled(underWay);
  }
}
