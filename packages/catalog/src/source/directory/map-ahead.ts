/**
 * Calls `map` for each item and yields the results in the order of the items. Up to `width` calls run at the same time,
 * also while the consumer processes a result.
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
      // The consumer gets this error later. Until then, Node must not treat it as an unhandled rejection.
      mapped.catch(() => undefined);
      const first = underWay.length >= width ? underWay.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first;
  } finally {
    // The consumer can stop before all results are read. Waits for the running `map` calls, and ignores their errors.
    await Promise.allSettled(underWay);
  }
}
