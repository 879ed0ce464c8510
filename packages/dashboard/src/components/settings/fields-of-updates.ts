import type { SettingSection } from './section.ts';

/**
 * Settings form for security updates. The updates are for the platform images, which are the container images that
 * Davit itself builds and runs.
 */
export const UPDATES: SettingSection = {
  value: 'updates',
  label: 'Security updates',
  title: 'Security updates',
  description:
    'Updates of the Linux packages in the images of the proxy, the registry, the DNS resolver and the databases.',
  fields: [
    {
      path: 'platform_images.check',
      label: 'Check every day',
      hint: 'Every day, Davit searches for newer packages to update its images. Turn this check off if the server cannot connect to a package repository.',
      kind: 'check',
      usual: 'true',
    },
    {
      path: 'platform_images.window_start',
      label: 'Maintenance window',
      hint: 'Start of the maintenance window, such as 04:00. If newer packages are available, databases restart in the maintenance window. A restart takes a few seconds.',
      kind: 'text',
      usual: '04:00',
    },
    {
      path: 'platform_images.window_minutes',
      label: 'Length of the window',
      hint: 'If Davit cannot restart all databases in the maintenance window, it restarts the remaining databases the next day.',
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
