/**
 * Adds the column `public_only` to `object_stores`. It is 1 if an admin with access to only some projects has set the
 * endpoint. Davit then connects to this endpoint only if its IP address is public.
 */
export const publicStores = `
ALTER TABLE object_stores ADD COLUMN public_only INTEGER NOT NULL DEFAULT 0;
`;
