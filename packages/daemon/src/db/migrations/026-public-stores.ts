/**
 * Mark for object stores whose endpoint was set by an admin of only some projects. The instance connects to such an
 * endpoint only at public IP addresses.
 */
export const publicStores = `
ALTER TABLE object_stores ADD COLUMN public_only INTEGER NOT NULL DEFAULT 0;
`;
