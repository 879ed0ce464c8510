import { defineCommand } from '../../command.ts';
import { DATABASE, databaseOf } from '../../database-argument.ts';
import { wholeNumber } from '../../values.ts';

export const command = defineCommand({
  path: ['database', 'logs'],
  summary: 'Show what a database wrote',
  arguments: { database: DATABASE },
  options: { tail: { short: 'n', value: 'lines', description: 'the newest so many' } },
  examples: [{ line: 'davit database logs shop/production/db -n 50', does: 'its last fifty lines' }],
  async run({ client, out, args, options }) {
    const query = options.tail === undefined ? {} : { tail: String(wholeNumber(options.tail, 'number of lines')) };
    const answer = await (await client()).getDatabaseLogs({ params: databaseOf(args.database), query });
    if (out.isJson) return out.json(answer);
    if (typeof answer === 'string') return out.text(answer);
    for (const { line } of answer.lines) out.line(line);
  },
});
