import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['platform', 'check'],
  summary: 'Check for security updates of the proxy, the registry, the DNS resolver and the databases',
  description:
    'Davit also runs this check every day, unless the setting platform_images.check is off. Davit installs updates of databases in the maintenance window, and other updates immediately. Required role: admin with access to all projects.',
  examples: [{ line: 'davit platform check', does: 'Check for security updates now' }],
  async run({ client, out }) {
    const check = await (await client()).checkPlatformImages();
    out.done(check, 'The check is in progress. Show the result: davit platform list');
  },
});
