/**
 * Adds the columns `image_held` and `image_missing_since` to `deployments`. A reconciler later sets both columns for
 * existing deployments.
 */
export const heldImages = `
ALTER TABLE deployments ADD COLUMN image_held INTEGER NOT NULL DEFAULT 0 CHECK (image_held IN (0, 1));
ALTER TABLE deployments ADD COLUMN image_missing_since INTEGER;
CREATE INDEX deployments_image_held ON deployments (id) WHERE image_held = 1;
CREATE INDEX deployments_image_missing ON deployments (id) WHERE image_missing_since IS NOT NULL;
`;
