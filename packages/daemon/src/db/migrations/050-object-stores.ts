/**
 * SQL that rewrites the stored backup destinations. The order of the JSON fields must not change, because Davit
 * compares destinations as text.
 */
const destinations = ['backups', 'backup_schedules', 'backup_segments']
  .map(
    (table) => `
UPDATE ${table} SET destination = json_object('kind', 'object_store', 'object_store', destination ->> '$.store',
    'bucket', destination ->> '$.bucket', 'prefix', coalesce(destination ->> '$.prefix', ''))
  WHERE destination ->> '$.kind' = 'store';`,
  )
  .join('');

/**
 * Renames `store` to `object_store` in stored data that the API returns. Audit rows stay unchanged, because a change
 * would break their hash chain.
 */
export const objectStores = `
UPDATE tasks SET kind = 'object_' || kind WHERE kind GLOB 'store.*';
UPDATE tasks SET subject_kind = 'object_store' WHERE subject_kind = 'store';
UPDATE task_steps SET name = 'object_stores' WHERE name = 'stores';
UPDATE template_resources SET kind = 'object_store' WHERE kind = 'store';

UPDATE events SET data = json_set(data, '$.kind', 'object_store') WHERE kind = 'resource' AND data ->> '$.kind' = 'store';
UPDATE events SET data = json_set(data, '$.kind', 'object_' || (data ->> '$.kind'))
  WHERE kind = 'task' AND data ->> '$.kind' GLOB 'store.*';
UPDATE events SET data = json_set(data, '$.subject.kind', 'object_store')
  WHERE kind = 'task' AND data ->> '$.subject.kind' = 'store';
UPDATE events SET data = json_set(data, '$.step.name', 'object_stores')
  WHERE kind = 'task' AND data ->> '$.step.name' = 'stores';
${destinations}
`;
