import type { SettingSection } from './section.ts';

/** Settings of the images that Davit builds and runs itself. */
export const UPDATES: SettingSection = {
  value: 'updates',
  label: 'Security updates',
  title: 'Security updates',
  description: 'Newer packages for the proxy, the registry, the resolver and the databases.',
  fields: [
    {
      path: 'platform_images.check',
      label: 'Check every day',
      hint: 'Turn it off on a server without access to a package repository.',
      kind: 'check',
      usual: 'true',
    },
    {
      path: 'platform_images.window_start',
      label: 'Maintenance window',
      hint: 'Time of day, such as 04:00. Databases restart in this window to use newer packages, each for a few seconds.',
      kind: 'text',
      usual: '04:00',
    },
    {
      path: 'platform_images.window_minutes',
      label: 'Length of the window',
      hint: 'Databases that are not restarted before the window ends restart the next day.',
      kind: 'number',
      unit: 'minutes',
      usual: '60',
    },
    {
      path: 'platform_images.time_zone',
      label: 'Time zone',
      hint: 'Time zone of the maintenance window.',
      kind: 'text',
      usual: 'UTC',
    },
  ],
};
