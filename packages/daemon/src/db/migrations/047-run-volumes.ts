/**
 * Adds the volumes to each run (execution of a command). A volume must not move to another app during a run. The
 * volumes of the run's deployment are not enough, because that deployment may be deleted.
 */
export const runVolumes = `
ALTER TABLE runs ADD COLUMN volumes TEXT;
UPDATE runs SET volumes = (
  SELECT json_group_array(json_object('name', own.name, 'path', v.value ->> 'path'))
    FROM deployments d, json_each(d.mounts, '$.volumes') v JOIN volumes own ON own.name = v.value ->> 'name'
    WHERE d.id = runs.deployment_id AND own.app_id = d.app_id)
  WHERE status = 'running';
`;
