/** Maps one after another, in order, with at most `width` of them under way: also while whoever reads is busy. */
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
      // It may fail before its turn has come: it is told when it has.
      mapped.catch(() => undefined);
      const first = underWay.length >= width ? underWay.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first;
  } finally {
    // Whoever reads has left: what is still under way fails for nobody.
    await Promise.allSettled(underWay);
  }
}
