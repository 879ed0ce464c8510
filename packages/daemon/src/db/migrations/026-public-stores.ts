/**
 * Adds the column `public_only` to `object_stores`. It is 1 if an admin of only some projects set the endpoint. Davit
 * then connects to the endpoint only at public IP addresses.
 */
export const publicStores = `
ALTER TABLE object_stores ADD COLUMN public_only INTEGER NOT NULL DEFAULT 0;
`;
