/** Settings of the sources of templates. */
import type { SettingSection } from './section.ts';

export const TEMPLATES: SettingSection = {
  value: 'templates',
  label: 'Templates',
  title: 'Catalog',
  description: 'The catalog of templates that this instance shows. Installed templates are not affected by changes.',
  fields: [
    {
      path: 'catalog.url',
      label: 'Catalog',
      hint: 'URL of a catalog. Only the instance sends requests to it. Leave blank to use the catalog from the start options.',
      kind: 'text',
      usual: '',
      placeholder: 'https://templates.example.com',
      effect:
        'The page “Templates” immediately shows the new catalog. Installations get updates only if the new catalog lists their template.',
    },
    {
      path: 'catalog.verify_source',
      label: 'Compare with the repository',
      hint: 'Also fetches the template file from its repository, and refuses the template if the file differs from the catalog.',
      kind: 'check',
      usual: 'false',
    },
  ],
};
