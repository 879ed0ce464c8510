import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['platform', 'check'],
  summary: 'Check for security updates of the proxy, the registry, the DNS resolver and the databases',
  description:
    'Davit also checks every day, unless the setting platform_images.check is off. Davit installs updates immediately. Updates of databases wait for the maintenance window. Required role: admin with access to all projects.',
  examples: [{ line: 'davit platform check', does: 'Start a check now' }],
  async run({ client, out }) {
    const check = await (await client()).checkPlatformImages();
    out.done(check, 'The check is in progress. Show the result: davit platform list');
  },
});
