/**
 * Which thing a resource of an installation is, by its number: under the same name there may be another one by now, which
 * somebody else has made and nobody may remove or change for the installation.
 */
export const installThings = `
ALTER TABLE template_resources ADD COLUMN thing_id INTEGER;
`;
