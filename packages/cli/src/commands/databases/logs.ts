import type { DatabaseLogLines } from '@davit/api';
import { DATABASE, databaseOf } from '../../arguments/database.ts';
import { wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { safeLogLine } from '../../output/safe-text.ts';

export const command = defineCommand({
  path: ['database', 'logs'],
  summary: 'Show the log of a database',
  arguments: { database: DATABASE },
  options: {
    tail: { short: 'n', value: 'lines', description: 'maximum number of lines (default: 200)' },
    timestamps: { short: 't', description: 'show the time of each line' },
  },
  examples: [{ line: 'davit database logs shop/production/db -n 50', does: 'Show the last 50 log lines' }],
  async run({ client, out, args, options }) {
    const query = {
      format: 'json' as const,
      ...(options.tail !== undefined && { tail: String(wholeNumber(options.tail, 'number of lines')) }),
    };
    /*
     * The type cast is safe, because the API returns JSON for `format=json`. The inferred type also includes plain
     * text.
     */
    const answer = (await (
      await client()
    ).getDatabaseLogs({
      params: databaseOf(args.database),
      query,
    })) as DatabaseLogLines;
    if (out.isJson) return out.json(answer);
    for (const { at, line } of answer.lines)
      out.painted(`${options.timestamps ? `${out.paint(at, 'dim')} ` : ''}${safeLogLine(line, false)}`);
  },
});
