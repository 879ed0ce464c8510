/**
 * Volumes of a run's container, as a JSON array of names and paths. A volume cannot move to another app while a run
 * uses it. The run's deployment does not show its volumes reliably: the deployment can be deleted during the run, or
 * its volumes can have moved before.
 */
export const runVolumes = `
ALTER TABLE runs ADD COLUMN volumes TEXT;
UPDATE runs SET volumes = (
  SELECT json_group_array(json_object('name', own.name, 'path', v.value ->> 'path'))
    FROM deployments d, json_each(d.mounts, '$.volumes') v JOIN volumes own ON own.name = v.value ->> 'name'
    WHERE d.id = runs.deployment_id AND own.app_id = d.app_id)
  WHERE status = 'running';
`;
