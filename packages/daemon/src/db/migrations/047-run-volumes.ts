/**
 * Volumes of the container of a run, as a JSON array of names and paths. A volume cannot move to another app while a run
 * has it. The deployment of the run does not say so: it can be removed during the run, or its volumes can have moved before.
 */
export const runVolumes = `
ALTER TABLE runs ADD COLUMN volumes TEXT;
UPDATE runs SET volumes = (
  SELECT json_group_array(json_object('name', own.name, 'path', v.value ->> 'path'))
    FROM deployments d, json_each(d.mounts, '$.volumes') v JOIN volumes own ON own.name = v.value ->> 'name'
    WHERE d.id = runs.deployment_id AND own.app_id = d.app_id)
  WHERE status = 'running';
`;
