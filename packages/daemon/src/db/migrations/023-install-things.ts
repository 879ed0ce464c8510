/**
 * Number of the object that a resource of an installation refers to. Another user may have created a new object with the
 * same name, which the installation must not change or remove.
 */
export const installThings = `
ALTER TABLE template_resources ADD COLUMN thing_id INTEGER;
`;
