import type { SettingsPatch } from '@davit/api';
import { defineCommand } from '../../command.ts';
import { patchOf } from '../../settings-values.ts';

export const command = defineCommand({
  path: ['settings', 'set'],
  summary: 'Change settings of the instance',
  description: 'They act at once. The value «default» goes back to the default. Admins only.',
  arguments: { pairs: { description: 'setting=value, the setting as «davit settings get» shows it', variadic: true } },
  examples: [
    { line: 'davit settings set logs.days=14 images.keep=5', does: 'two of them' },
    { line: 'davit settings set logs.days=default', does: 'back to the default' },
  ],
  async run({ client, out, args }) {
    const body = patchOf(args.pairs) as SettingsPatch;
    const settings = await (await client()).patchSettings({ body });
    out.done(settings, `Set: ${args.pairs.join(', ')}.`);
  },
});
