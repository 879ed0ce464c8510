import type { ObjectClient, StorePlace } from './client.ts';

/** Speaks to a store; a test has its own. */
export type MakeObjectClient = (place: StorePlace) => Promise<ObjectClient>;

/**
 * A client of a store that speaks S3. What it needs is loaded with the first one: an instance without stores does not pay
 * for it.
 * @throws StoreProblem for an address that is never asked
 */
export const objectClientOf: MakeObjectClient = async (place) => {
  const { S3ObjectClient } = await import('./s3-client.ts');
  return new S3ObjectClient(place);
};
