import type { SettingsPatch } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { patchOf } from './values.ts';

export const command = defineCommand({
  path: ['settings', 'set'],
  summary: 'Change settings of the instance',
  description:
    'Changes take effect immediately. The value "default" restores the default. To change a list, write the complete new list as JSON. Required role: admin.',
  arguments: {
    pairs: {
      description: 'settings to change, as setting=value; for the names, see `davit settings get`',
      variadic: true,
    },
  },
  options: {
    confirm: {
      value: 'domain',
      description:
        'confirmation: repeat the new domain of the instance; required if the domain belonged to an app before',
    },
  },
  examples: [
    { line: 'davit settings set logs.days=14 images.keep=5', does: 'Change two settings' },
    { line: 'davit settings set logs.days=default', does: 'Restore the default of a setting' },
    {
      line: `davit settings set 'trusted_proxies.forwarded_for=["10.0.0.0/8"]'`,
      does: 'Trust the `X-Forwarded-For` header of requests from a network',
    },
    {
      line: `davit settings set 'registries.private_hosts=["registry.internal:5000"]'`,
      does: 'Allow images from a registry in a private network',
    },
    {
      line: `davit settings set 'host_access=[{"address":"10.0.0.5","port":5432}]'`,
      does: 'Allow containers to connect to a service on the server',
    },
  ],
  async run({ client, out, args, options }) {
    const body = patchOf(args.pairs) as SettingsPatch;
    const settings = await (await client()).patchSettings({
      ...(options.confirm !== undefined && { query: { confirm: options.confirm } }),
      body,
    });
    out.done(settings, `Changed settings: ${args.pairs.join(', ')}`);
  },
});
