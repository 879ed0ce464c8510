/**
 * Adds `install_id` to `volumes`. Without this id, a template installation could delete a volume of another app with
 * the same name.
 */
export const installedVolumes = `
ALTER TABLE volumes ADD COLUMN install_id INTEGER REFERENCES template_installs (id) ON DELETE SET NULL;
UPDATE volumes SET install_id = (
  SELECT max(install_id) FROM template_resources r
    WHERE r.kind = 'app' AND r.state = 'made' AND r.thing_id = volumes.app_id);
`;
