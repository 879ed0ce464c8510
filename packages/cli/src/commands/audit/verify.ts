import { defineCommand } from '../../declaration/command.ts';
import { count } from '../../output/words.ts';

export const command = defineCommand({
  path: ['audit', 'verify'],
  summary: 'Verify that the audit log was not changed',
  description: 'Exits with code 1 if the audit log was changed. Required role: admin.',
  examples: [{ line: 'davit audit verify', does: 'Verify the audit log and print the current hash' }],
  async run({ client, out }) {
    const found = await (await client()).verifyAudit();
    const said = found.ok
      ? `${count(found.checked, 'entry', 'entries')} verified. Store this hash in another place: ${found.head}`
      : `The audit log was changed: entry ${found.broken_at} differs from the recorded entry.`;
    out.done(found, said, found.head);
    return found.ok ? 0 : 1;
  },
});
