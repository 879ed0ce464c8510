import { momentBefore } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['audit', 'list'],
  summary: 'Show the audit log',
  description: 'Required role: admin.',
  options: {
    user: { short: 'u', value: 'user', description: 'only actions of this user' },
    target: {
      value: 'name',
      description: 'only actions on this resource and the resources in it, such as shop or shop/production/web',
    },
    operation: { value: 'id', description: 'only this operation, such as deployApp' },
    outcome: { value: 'outcome', choices: ['ok', 'refused', 'failed'], description: 'only actions with this outcome' },
    since: { value: 'time', description: 'start of the time range, such as 10m, 2h, 7d or 2030-01-31T12:00:00Z' },
    until: { value: 'time', description: 'end of the time range, in the format of `--since`' },
    limit: { short: 'n', value: 'n', description: 'maximum number of results (default: 100, maximum: 500)' },
    before: { value: 'row', description: 'only entries that are older than the entry with this ID' },
  },
  examples: [
    {
      line: 'davit audit list --since 1d --outcome refused',
      does: 'List the actions that Davit refused in the last day',
    },
    {
      line: 'davit audit list --target shop --user ada',
      does: 'List the actions of the user `ada` on the project `shop`',
    },
  ],
  async run({ client, out, options }) {
    const { since, until, ...filters } = options;
    const now = Date.now();
    const query = {
      ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
      ...(since !== undefined && { from: momentBefore(since, now) }),
      ...(until !== undefined && { to: momentBefore(until, now) }),
    };
    const page = await (await client()).listAudit({ query });
    if (out.isJson) return out.json(page);
    out.list(page.events, {
      columns: [
        { header: 'ID', value: ({ id }) => id, align: 'right', style: () => 'dim' },
        { header: 'time', value: ({ at }) => minute(at) },
        { header: 'user', value: ({ actor }) => actor ?? 'not signed in', style: () => 'bold' },
        { header: 'via', value: ({ via }) => via },
        { header: 'operation', value: ({ operation }) => operation },
        { header: 'target', value: ({ target }) => target },
        {
          header: 'outcome',
          value: ({ outcome, status, times }) => `${outcome} ${status}${times > 1 ? ` ×${times}` : ''}`,
          style: ({ outcome }) => (outcome === 'ok' ? undefined : 'red'),
        },
      ],
      id: ({ id }) => id,
      empty: 'No matching entries.',
    });
    if (page.next !== null) out.note(`There are older entries. Show them with --before ${page.next}`, 'dim');
  },
});
