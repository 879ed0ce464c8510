import { defineCommand } from '../../declaration/command.ts';
import { count } from '../../output/words.ts';

export const command = defineCommand({
  path: ['audit', 'verify'],
  summary: 'Verify that the audit log was not changed',
  description: 'Ends with 1 when something was. Admins only.',
  examples: [{ line: 'davit audit verify', does: 'and the hash to keep elsewhere' }],
  async run({ client, out }) {
    const found = await (await client()).verifyAudit();
    const said = found.ok
      ? `${count(found.checked, 'row')} as they were written. Keep this hash elsewhere: ${found.head}`
      : `The log was changed: row ${found.broken_at} is not what was written.`;
    out.done(found, said, found.head);
    return found.ok ? 0 : 1;
  },
});
