/**
 * Calls `map` for each item and yields the results in the order of the items. At most `width` calls of `map` run at the
 * same time, also while the consumer processes earlier results.
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
      // The consumer gets the error later. Without this handler, Node would report an unhandled rejection before that.
      mapped.catch(() => undefined);
      const first = underWay.length >= width ? underWay.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first;
  } finally {
    // If the consumer stops reading early, waits for the `map` calls that have started, and ignores their errors.
    await Promise.allSettled(underWay);
  }
}
