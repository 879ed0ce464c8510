/**
 * What several sources yield, in the order in which it comes. One item of each is held at most, so that whoever reads
 * slowly is waited for by all of them. It ends with the first source, and fails with any.
 */
export async function* merged<T>(main: AsyncIterator<T>, others: readonly AsyncIterator<T>[]): AsyncGenerator<T> {
  const sources = [main, ...others];
  const ready: { source: AsyncIterator<T>; result: IteratorResult<T> }[] = [];
  const failures: unknown[] = [];
  let wake: () => void = () => undefined;
  const pull = (source: AsyncIterator<T>) =>
    void source
      .next()
      .then(
        (result) => ready.push({ source, result }),
        (error: unknown) => failures.push(error),
      )
      .then(() => wake());
  try {
    for (const source of sources) pull(source);
    for (;;) {
      const next = ready.shift();
      if (next === undefined) {
        if (failures.length > 0) throw failures[0];
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      } else if (!next.result.done) {
        yield next.result.value;
        pull(next.source);
      } else if (next.source === main) return;
    }
  } finally {
    // Each ends with the signal that it has; what one says to that concerns nobody.
    for (const source of sources) source.return?.()?.catch(() => undefined);
  }
}
