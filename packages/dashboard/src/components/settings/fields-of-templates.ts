import type { SettingSection } from './section.ts';

export const TEMPLATES: SettingSection = {
  value: 'templates',
  label: 'Templates',
  title: 'Catalog',
  description:
    'The catalog of templates that this instance shows. If you change the catalog, installed templates keep running.',
  fields: [
    {
      path: 'catalog.url',
      label: 'Catalog',
      hint: 'URL of the template catalog. The server must be able to reach it. Leave blank to use the URL in the environment variable DAVIT_INSTANCE_CATALOG_URL.',
      kind: 'text',
      usual: '',
      placeholder: 'https://templates.example.com',
      effect:
        'The page “Templates” immediately shows the new catalog. Installations get updates only if the new catalog lists their template.',
    },
    {
      path: 'catalog.verify_source',
      label: 'Check that templates match their Git repository',
      hint: 'Before an installation, Davit compares the template in the catalog with the template file in its Git repository. If the two differ, Davit refuses the installation.',
      kind: 'check',
      usual: 'false',
    },
  ],
};
