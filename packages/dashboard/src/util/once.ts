/**
 * Returns a function that creates a value at its first call. Later calls return the same value. Use this function for
 * `Intl` formatters, because the first formatter of a page blocks the browser.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
