/**
 * Template installation whose app uses the volume, or used it before the volume was kept. An installation takes over
 * and deletes only its own volumes. Without this column, a volume of another app that had the same name could be
 * deleted.
 */
export const installedVolumes = `
ALTER TABLE volumes ADD COLUMN install_id INTEGER REFERENCES template_installs (id) ON DELETE SET NULL;
UPDATE volumes SET install_id = (
  SELECT max(install_id) FROM template_resources r
    WHERE r.kind = 'app' AND r.state = 'made' AND r.thing_id = volumes.app_id);
`;
