/**
 * Merges streams that are each in order into one that is. Holds one item a stream, so that a long stream costs no memory;
 * of equals, the earlier stream's comes first. Ends every stream when the reader stops early.
 */
export async function* mergeInOrder<T>(
  streams: readonly AsyncIterable<T>[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<T> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
  try {
    const heads = await Promise.all(iterators.map((iterator) => iterator.next()));
    for (;;) {
      const next = indexOfFirst(heads, compare);
      if (next === undefined) return;
      yield next.value;
      const iterator = iterators[next.index];
      if (iterator) heads[next.index] = await iterator.next();
    }
  } finally {
    await Promise.all(iterators.map((iterator) => iterator.return?.()));
  }
}

function indexOfFirst<T>(
  heads: readonly IteratorResult<T>[],
  compare: (a: T, b: T) => number,
): { index: number; value: T } | undefined {
  let first: { index: number; value: T } | undefined;
  for (const [index, head] of heads.entries()) {
    if (head.done) continue;
    if (first === undefined || compare(head.value, first.value) < 0) first = { index, value: head.value };
  }
  return first;
}
