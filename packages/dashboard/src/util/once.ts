/**
 * Returns a function that creates a value at its first call and returns the same value later. Use it for formatters of
 * `Intl`, because the first formatter of a page blocks the browser.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
