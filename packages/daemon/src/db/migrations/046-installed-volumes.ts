/**
 * Installation whose app has the volume, or had it before the volume was kept. An installation adopts and deletes only
 * such volumes, because a handmade app or another installation can have had the same reference.
 */
export const installedVolumes = `
ALTER TABLE volumes ADD COLUMN install_id INTEGER REFERENCES template_installs (id) ON DELETE SET NULL;
UPDATE volumes SET install_id = (
  SELECT max(install_id) FROM template_resources r
    WHERE r.kind = 'app' AND r.state = 'made' AND r.thing_id = volumes.app_id);
`;
