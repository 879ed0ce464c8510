/** Creates indexes on image ids. With these indexes, Davit finds the projects that have deployed an image. */
export const imageUse = `
CREATE INDEX deployments_image ON deployments (image_id, app_id);
CREATE INDEX pulled_images_image ON pulled_images (image_id);
`;
