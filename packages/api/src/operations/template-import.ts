import { operation } from '../operation.ts';
import { TemplateImport, TemplateImportCreate } from '../schemas/template-import.ts';

export const importTemplate = operation({
  id: 'importTemplate',
  method: 'POST',
  path: '/template-imports',
  tag: 'Templates',
  summary: 'Convert a Compose file to a template',
  description:
    'Davit converts the services of the Compose file to apps and databases. `notes` explains what happened to each key of the Compose file. The request does not store or install the template. To install the template, send its text to `POST /template-installs`.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: TemplateImportCreate,
  errors: ['template_invalid'],
  responses: { 200: { description: 'The template, with notes about the conversion.', schema: TemplateImport } },
  tool: { repeatable: true, tellsText: true },
});
