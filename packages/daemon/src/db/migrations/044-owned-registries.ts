/**
 * Deletes registry credentials whose projects no longer exist, because no app can use these credentials. They exist if
 * a user saved credentials while the project was being deleted.
 */
export const ownedRegistries = `
DELETE FROM registry_projects WHERE project_id IN (SELECT id FROM projects WHERE deleted_at IS NOT NULL);
DELETE FROM registries WHERE all_projects = 0 AND id NOT IN (SELECT registry_id FROM registry_projects);
`;
