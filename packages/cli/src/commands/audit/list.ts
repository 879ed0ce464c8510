import { momentBefore } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { minute } from '../../output/words.ts';

export const command = defineCommand({
  path: ['audit', 'list'],
  summary: 'Show the audit log',
  description: 'Admins only.',
  options: {
    user: { short: 'u', value: 'user', description: 'who did it' },
    target: { value: 'name', description: 'a thing and what is in it, such as shop or shop/production/web' },
    operation: { value: 'id', description: 'such as deployApp' },
    outcome: { value: 'outcome', choices: ['ok', 'refused', 'failed'], description: 'how it came out' },
    since: { value: 'time', description: '10m, 2h, 7d, or a time' },
    until: { value: 'time', description: 'the same' },
    limit: { short: 'n', value: 'n', description: 'how many; 100 unless given, 500 at most' },
    before: { value: 'row', description: 'rows with smaller numbers only' },
  },
  examples: [
    { line: 'davit audit list --since 1d --outcome refused', does: 'who was turned away' },
    { line: 'davit audit list --target shop --user ada', does: 'what ada did to shop' },
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
        { header: 'row', value: ({ id }) => id, align: 'right', style: () => 'dim' },
        { header: 'at', value: ({ at }) => minute(at) },
        { header: 'who', value: ({ actor }) => actor ?? 'nobody', style: () => 'bold' },
        { header: 'via', value: ({ via }) => via },
        { header: 'what', value: ({ operation }) => operation },
        { header: 'to', value: ({ target }) => target },
        {
          header: 'outcome',
          value: ({ outcome, status, times }) => `${outcome} ${status}${times > 1 ? ` ×${times}` : ''}`,
          style: ({ outcome }) => (outcome === 'ok' ? undefined : 'red'),
        },
      ],
      id: ({ id }) => id,
      empty: 'No row matches.',
    });
    if (page.next !== null) out.note(`Older rows: --before ${page.next}`, 'dim');
  },
});
