/** public_only: the endpoint was set by an admin of some projects; the instance then connects to public addresses only. */
export const publicStores = `
ALTER TABLE object_stores ADD COLUMN public_only INTEGER NOT NULL DEFAULT 0;
`;
