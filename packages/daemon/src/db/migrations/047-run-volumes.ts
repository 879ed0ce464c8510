/**
 * Adds the column `volumes` to `runs`. It is a JSON array with the names and paths of the volumes that the run uses.
 * Davit needs it, because a volume must not move to another app during a run. The deployment of the run is not enough,
 * because it may be deleted or its volumes may have changed.
 */
export const runVolumes = `
ALTER TABLE runs ADD COLUMN volumes TEXT;
UPDATE runs SET volumes = (
  SELECT json_group_array(json_object('name', own.name, 'path', v.value ->> 'path'))
    FROM deployments d, json_each(d.mounts, '$.volumes') v JOIN volumes own ON own.name = v.value ->> 'name'
    WHERE d.id = runs.deployment_id AND own.app_id = d.app_id)
  WHERE status = 'running';
`;
