/** There is no index yet, or its file cannot be read now. The next call tries again. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
