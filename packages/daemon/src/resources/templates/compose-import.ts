/** Converts Docker Compose files to templates. Users can then move an existing application to Davit. */
import { DavitError, type TemplateImport, type TemplateImportCreate } from '@davit/api';

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
  const imported = importCompose(compose, { emptyDomains: true, files, ...names });
  if (!imported.ok) throw new DavitError('template_invalid', imported.message);
  const { template, manifest, problems, notes } = imported;
  return {
    template,
    valid: manifest !== null,
    problems: problems.map(({ severity, message, line }) => ({
      severity,
      message,
      ...(line !== undefined && { line }),
    })),
    notes,
  };
}
