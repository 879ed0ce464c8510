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
      hint: 'URL of a template catalog. Browsers do not connect to the catalog, only the instance does. Leave blank to use the catalog that the start options of the instance specify.',
      kind: 'text',
      usual: '',
      placeholder: 'https://templates.example.com',
      effect:
        'The page “Templates” immediately shows the new catalog. Installations get updates only if the new catalog lists their template.',
    },
    {
      path: 'catalog.verify_source',
      label: 'Verify templates with their repository',
      hint: 'Before an installation, Davit compares the template in the catalog with the file in the Git repository of the template. If the files differ, Davit refuses the template.',
      kind: 'check',
      usual: 'false',
    },
  ],
};
