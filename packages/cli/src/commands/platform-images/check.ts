import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['platform', 'check'],
  summary: 'Check for security updates of the platform images',
  description:
    'Davit also checks every day, unless the setting platform_images.check is off. Newer packages are installed at once, those of databases in the maintenance window. Required role: admin with rights for all projects.',
  examples: [{ line: 'davit platform check', does: 'Start a check now' }],
  async run({ client, out }) {
    const check = await (await client()).checkPlatformImages();
    out.done(check, 'The check is in progress. Show the result: davit platform list');
  },
});
