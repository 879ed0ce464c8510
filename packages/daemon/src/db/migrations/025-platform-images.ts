/**
 * Creates the table of images that this instance builds for its own containers. Times are in milliseconds since the
 * epoch.
 */
export const platformImages = `
CREATE TABLE platform_images (
  name TEXT PRIMARY KEY,
  image_id TEXT NOT NULL,
  recipe TEXT NOT NULL,
  packages TEXT NOT NULL,
  built_at INTEGER NOT NULL,
  checked_at INTEGER,
  available TEXT NOT NULL,
  previous TEXT,
  kept_back TEXT
) STRICT;
`;
