import { operation } from '../operation.ts';
import { TemplateImport, TemplateImportCreate } from '../schemas/template-import.ts';

export const importTemplate = operation({
  id: 'importTemplate',
  method: 'POST',
  path: '/template-imports',
  tag: 'Templates',
  summary: 'Make a template of a Compose file',
  description:
    'Services become apps and databases; the notes say of each key what became of it. Nothing is made or kept: the template is installed with `POST /template-installs`, as a file.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: TemplateImportCreate,
  errors: ['template_invalid'],
  responses: { 200: { description: 'The template, and what was carried into it.', schema: TemplateImport } },
  tool: { repeatable: true, tellsText: true },
});
