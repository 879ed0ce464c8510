/** Settings of the sources of templates. */
import type { SettingSection } from './section.ts';

export const TEMPLATES: SettingSection = {
  value: 'templates',
  label: 'Templates',
  title: 'Where templates come from',
  description: 'The catalog that this instance lists. What is installed goes on whatever is set here.',
  fields: [
    {
      path: 'catalog.url',
      label: 'Catalog',
      hint: 'The address of a catalog; the instance asks it, and browsers do not. Empty: as the instance was started.',
      kind: 'text',
      usual: '',
      placeholder: 'https://templates.example.com',
      effect:
        'Templates of the other catalog are listed at once; installations look there for updates only if it lists them.',
    },
    {
      path: 'catalog.verify_source',
      label: 'Compare with the repository',
      hint: 'Fetch the file of a template from its repository too, and refuse what the catalog says if it is not of it.',
      kind: 'check',
      usual: 'false',
    },
  ],
};
