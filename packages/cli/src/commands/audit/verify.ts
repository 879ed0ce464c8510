import { count } from '@davit/api';
import { defineCommand } from '../../declaration/command.ts';

export const command = defineCommand({
  path: ['audit', 'verify'],
  summary: 'Verify that the audit log was not changed',
  description: 'The exit code is 1 if entries of the audit log were changed or removed. Required role: admin.',
  examples: [{ line: 'davit audit verify', does: 'Verify the audit log and print the hash of its newest entry' }],
  async run({ client, out }) {
    const found = await (await client()).verifyAudit();
    const said = found.ok
      ? `${count(found.checked, 'entry', 'entries')} verified. To detect later changes, store this hash outside the server: ${found.head}`
      : `The audit log was changed: entry ${found.broken_at} is missing or does not match its hash.`;
    out.done(found, said, found.head);
    return found.ok ? 0 : 1;
  },
});
