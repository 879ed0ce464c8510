/**
 * Yields the result of `map` for each item, in the order of the items. At most `width` calls of `map` run
 * concurrently. They run ahead while the consumer processes earlier results.
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
      // The consumer gets the error when it reaches the item. Until then, Node would report an unhandled rejection.
      mapped.catch(() => undefined);
      const first = underWay.length >= width ? underWay.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first;
  } finally {
    // If the consumer stops reading early, the errors of the remaining `map` calls are ignored.
    await Promise.allSettled(underWay);
  }
}
