/** Compose files as templates, for who has one and wants what is in it to run here. */
import { DavitError, type TemplateImport, type TemplateImportCreate } from '@davit/api';

/** @throws DavitError template_invalid: it is no Compose file, or nothing in it can run here */
export async function importTemplate({ compose, project }: TemplateImportCreate): Promise<TemplateImport> {
  const { importCompose } = await import('@davit/template/import');
  const imported = importCompose(compose, { emptyDomains: true, ...(project !== undefined && { project }) });
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
