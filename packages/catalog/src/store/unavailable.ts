/** There is no index yet, or its file cannot be read. The next call tries again. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
