/** Converts Docker Compose files to templates. Users can then move an existing application to Davit. */
import { DavitError, type TemplateImport, type TemplateImportCreate } from '@davit/api';
import { builtApps } from './manifest/fits.ts';

/**
 * Converts a Docker Compose file to a template.
 * @throws DavitError template_invalid if the text is not a Compose file, or if Davit can run no service in the file
 */
export async function importTemplate({
  compose,
  project,
  folder,
  files = {},
}: TemplateImportCreate): Promise<TemplateImport> {
  const { importCompose } = await import('@davit/template/import');
  const names = { ...(project !== undefined && { project }), ...(folder !== undefined && { folder }) };
  const imported = importCompose(compose, { emptyDomains: true, imagesOnly: true, files, ...names });
  if (!imported.ok) throw new DavitError('template_invalid', imported.message);
  const { template, manifest, problems, notes } = imported;
  const built = manifest === null ? [] : builtApps(manifest).map(withoutImage);
  return {
    template,
    valid: manifest !== null && built.length === 0,
    problems: [
      ...problems.map(({ severity, message, line }) => ({ severity, message, ...(line !== undefined && { line }) })),
      ...built,
    ],
    notes,
  };
}

/** Returns the problem of an app whose Compose service has no image. */
function withoutImage(app: string): TemplateImport['problems'][number] {
  const message = `The service “${app}” has no \`image\`, and an instance builds no images. Build and push the image, then add \`image\` to the service.`;
  return { severity: 'error', message };
}
