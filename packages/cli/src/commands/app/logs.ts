import { APP, appOf } from '../../app-argument.ts';
import { defineCommand } from '../../command.ts';
import { logLines } from '../../output/log-lines.ts';
import { momentBefore } from '../../values.ts';

export const command = defineCommand({
  path: ['app', 'logs'],
  summary: 'Show what an app wrote',
  description:
    'stdout and stderr of all its instances in time order, failed deploys and removed containers included. Control characters are shown, not obeyed.',
  arguments: { app: APP },
  options: {
    tail: { short: 'n', value: 'lines', description: 'the newest so many; 500 unless given; or «all»' },
    grep: { short: 'g', value: 'text', description: 'only lines that contain this, letter case aside' },
    since: { value: 'time', description: '10m, 2h, 7d, or a time' },
    until: { value: 'time', description: 'the same' },
    instance: { value: 'instance', description: 'only what this one wrote, such as 12-1' },
    deployment: { value: 'deployment', description: 'only what the instances of this one wrote' },
    stream: { value: 'stream', choices: ['stdout', 'stderr'], description: 'only this one' },
    timestamps: { short: 't', description: 'when each line was written' },
    ansi: { description: 'keep the colours that the app wrote' },
  },
  examples: [
    { line: 'davit logs shop/production/web -n 100', does: 'the last hundred lines' },
    { line: 'davit logs --since 1h --grep timeout', does: 'a search in the app of davit.yaml' },
  ],
  async run(context) {
    const { client, out, args, options } = context;
    const params = await appOf(args.app, context);
    const now = Date.now();
    const query = {
      format: 'json' as const,
      ...(options.tail !== undefined && { tail: options.tail }),
      ...(options.grep !== undefined && { q: options.grep }),
      ...(options.since !== undefined && { since: momentBefore(options.since, now) }),
      ...(options.until !== undefined && { until: momentBefore(options.until, now) }),
      ...(options.instance !== undefined && { instance: options.instance }),
      ...(options.deployment !== undefined && { deployment: options.deployment }),
      ...(options.stream !== undefined && { stream: options.stream }),
    };
    const answer = await (await client()).getLogs({ params, query });
    if (out.isJson) return out.json(answer);
    // With `format=json` it is never text.
    if (typeof answer === 'string') return out.text(answer);
    const { timestamps, ansi } = options;
    for (const line of logLines(answer.lines, { timestamps, ansi, paint: out.paint })) out.painted(line);
    if (answer.lines.length === 0) out.note('No line matches.');
    else if (answer.more) out.note('There are older lines: ask for more with --tail.', 'dim');
  },
});
