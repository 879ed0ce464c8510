/** Settings of the catalog, checked. */
export interface CatalogConfig {
  listen: { host: string; port: number };
  dataDir: string;
  /** The public address, without a slash at its end. */
  url: string;
  source: { kind: 'dir'; path: string } | { kind: 'github'; baseUrl: string; token: string | null };
  /** Listing topics. */
  topics: string[];
  /** At most two; `id` where the setting says `owner:id`. */
  verifiedOwners: { owner: string; id: number | null }[];
  /** At least 300. */
  intervalS: number;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
}
