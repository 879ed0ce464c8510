import type { SettingsPatch } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';
import { patchOf } from './values.ts';

export const command = defineCommand({
  path: ['settings', 'set'],
  summary: 'Change settings of the instance',
  description:
    'Changes take effect at once. The value «default» restores the default. Write a list as JSON; it replaces the whole list. Admins only.',
  arguments: { pairs: { description: 'setting=value, the setting as «davit settings get» shows it', variadic: true } },
  options: { confirm: { value: 'domain', description: 'set this domain although an app had its host' } },
  examples: [
    { line: 'davit settings set logs.days=14 images.keep=5', does: 'two of them' },
    { line: 'davit settings set logs.days=default', does: 'back to the default' },
    {
      line: `davit settings set 'trusted_proxies.forwarded_for=["10.0.0.0/8"]'`,
      does: 'trusts X-Forwarded-For from this network',
    },
    {
      line: `davit settings set 'registries.private_hosts=["registry.internal:5000"]'`,
      does: 'allows images from this registry in the private network',
    },
    {
      line: `davit settings set 'host_access=[{"address":"10.0.0.5","port":5432}]'`,
      does: 'lets containers reach a service of the server',
    },
  ],
  async run({ client, out, args, options }) {
    const body = patchOf(args.pairs) as SettingsPatch;
    const settings = await (await client()).patchSettings({
      ...(options.confirm !== undefined && { query: { confirm: options.confirm } }),
      body,
    });
    out.done(settings, `Set: ${args.pairs.join(', ')}.`);
  },
});
