import { defineCommand } from '../../command.ts';
import { DATABASE, databaseOf } from '../../database-argument.ts';
import { CliError } from '../../exit.ts';
import { byteCount } from '../../values.ts';

export const command = defineCommand({
  path: ['database', 'set'],
  summary: 'Change a database’s description or limits',
  description: 'Limits are in force at once, without a restart.',
  arguments: { database: DATABASE },
  options: {
    description: { value: 'text', description: 'for people; empty: none' },
    cpu: { value: 'cores', description: 'such as 0.5; «none»: no limit' },
    memory: { value: 'memory', description: 'such as 512m; «none»: no limit' },
  },
  examples: [{ line: 'davit database set shop/production/db --memory 1g', does: 'more room' }],
  async run({ client, out, args, options: { description, cpu, memory } }) {
    const limits = {
      ...(cpu !== undefined && { cpu: cpu === 'none' ? null : cores(cpu) }),
      ...(memory !== undefined && { memory_bytes: memory === 'none' ? null : byteCount(memory) }),
    };
    if (description === undefined && Object.keys(limits).length === 0)
      throw new CliError('usage', 'There is nothing to change: give --description, --cpu or --memory.');
    const body = {
      ...(description !== undefined && { description: description || null }),
      ...(Object.keys(limits).length > 0 && { limits }),
    };
    const database = await (await client()).patchDatabase({ params: databaseOf(args.database), body });
    out.done(database, `Database ${database.reference} is changed.`, database.reference);
  },
});

function cores(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new CliError('usage', `«${text}» is no number of cores: write one such as 0.5.`);
  return Number(text);
}
