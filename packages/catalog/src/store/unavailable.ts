/** The catalog database has no index yet or cannot be read. The next call tries again. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
