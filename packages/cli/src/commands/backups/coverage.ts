import { defineCommand } from '../../declaration/command.ts';
import { coverageList } from '../../views/backup.ts';

export const command = defineCommand({
  path: ['backup', 'coverage'],
  summary: 'Show which databases are backed up, and which are not',
  examples: [{ line: 'davit backup coverage', does: 'with what is to be done' }],
  async run({ client, out }) {
    out.list(await (await client()).listBackupCoverage(), coverageList);
  },
});
