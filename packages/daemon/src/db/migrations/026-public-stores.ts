/**
 * Adds `public_only` to `object_stores`. If the value is 1, Davit connects to the endpoint of the object store only at
 * public IP addresses.
 */
export const publicStores = `
ALTER TABLE object_stores ADD COLUMN public_only INTEGER NOT NULL DEFAULT 0;
`;
