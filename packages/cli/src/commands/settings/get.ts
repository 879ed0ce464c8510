import { defineCommand } from '../../declaration/command.ts';
import { flattened } from './values.ts';

export const command = defineCommand({
  path: ['settings', 'get'],
  summary: 'Show the settings of the instance',
  examples: [{ line: 'davit settings get', does: 'Show all settings, including defaults' }],
  async run({ client, out }) {
    const settings = await (await client()).getSettings();
    if (out.isJson) return out.json(settings);
    out.list(flattened(settings), {
      columns: [
        { header: 'setting', value: ([path]) => path, style: () => 'bold' },
        { header: 'value', value: ([, value]) => value },
      ],
      id: ([path]) => path,
      empty: 'No settings found.',
    });
  },
});
