/**
 * Calls `map` for each item and yields the results in the order of the items. Up to `width` calls run concurrently,
 * even while the consumer processes a result.
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
      // The consumer receives this error later. Before that, Node must not report the error as an unhandled rejection.
      mapped.catch(() => undefined);
      const first = underWay.length >= width ? underWay.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first;
  } finally {
    /*
     * The consumer may stop before it has read all results. In this case, waits for the running `map` calls and ignores
     * their errors.
     */
    await Promise.allSettled(underWay);
  }
}
