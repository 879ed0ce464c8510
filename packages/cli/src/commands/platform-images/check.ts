import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['platform', 'check'],
  summary: 'Check for security updates of the platform images',
  description:
    'Davit also checks every day, unless the setting platform_images.check is off. Newer packages are installed at once, those of databases in the maintenance window. Admins of all projects only.',
  examples: [{ line: 'davit platform check', does: 'starts a check now' }],
  async run({ client, out }) {
    const check = await (await client()).checkPlatformImages();
    out.done(check, 'The check is in progress: «davit platform list» shows the result.');
  },
});
