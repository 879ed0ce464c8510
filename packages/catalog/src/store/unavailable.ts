/** Error: the catalog database cannot be read or has no index yet. The next call tries to read it again. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
