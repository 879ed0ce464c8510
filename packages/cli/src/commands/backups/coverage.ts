import { defineCommand } from '../../declaration/command.ts';
import { coverageList } from '../../views/backup.ts';

export const command = defineCommand({
  path: ['backup', 'coverage'],
  summary: 'Show which databases have recent backups',
  examples: [{ line: 'davit backup coverage', does: 'List all databases with their last successful backup' }],
  async run({ client, out }) {
    out.list(await (await client()).listBackupCoverage(), coverageList);
  },
});
