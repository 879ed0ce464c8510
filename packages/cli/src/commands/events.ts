import { APP_FIRST, appOf, referenceOf } from '../arguments/app.ts';
import { atLeastOne } from '../arguments/values.ts';
import { defineCommand } from '../declaration/command.ts';
import { EXIT } from '../errors/exit.ts';
import { minute } from '../output/words.ts';
import { AWAY } from '../progress/away.ts';

export const command = defineCommand({
  path: ['events'],
  summary: 'Follow events',
  description:
    'Shows events of the projects that you can see. Ctrl-C ends the command. With --json, each event is one line of JSON.',
  options: {
    app: { value: 'app', description: `only events of this ${APP_FIRST.description}` },
    kinds: {
      value: 'kinds',
      description:
        'kinds of events, separated by commas: deployment, app, instance, task, resource, metric, machine (default: all except metric and machine)',
    },
    count: { short: 'n', value: 'n', description: 'number of events after which the command ends (default: no limit)' },
    after: { value: 'event', description: 'only events after the event with this number' },
  },
  examples: [
    { line: 'davit events', does: 'Follow new events' },
    { line: 'davit events --app shop/production/web --json', does: 'Follow the events of one app as JSON' },
  ],
  async run(context) {
    const { client, out, signal, options } = context;
    const { kinds, count, after } = options;
    // The app reference is checked first. No event would match an invalid reference, so the command would wait forever.
    const app = options.app === undefined ? undefined : referenceOf(await appOf(options.app, context));
    const api = await client();
    const query = { ...(app && { app }), ...(kinds && { kinds }), ...(after && { after }) };
    let left = count === undefined ? Number.POSITIVE_INFINITY : atLeastOne(count, 'number of events');
    try {
      for await (const { event, data } of api.live.followEvents({ query, signal, onAway: () => out.note(AWAY) })) {
        if (out.isJson) out.jsonLine({ event, data });
        else out.line(lineOf(event, data));
        left -= 1;
        if (left <= 0) return EXIT.ok.code;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      /*
       * Ctrl-C stops the command without an error message. From the exit code, scripts can detect that the command was
       * interrupted.
       */
      return EXIT.interrupted.code;
    }
    return EXIT.ok.code;
  },
});

function lineOf(
  event: string,
  { at, app, ...rest }: Record<string, unknown> & { at?: string; app?: string | null | undefined },
): string {
  const facts = Object.entries(rest).filter(([name, value]) => name !== 'seq' && value !== null);
  const words = facts.map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return [at === undefined ? '' : minute(at), event, app ?? '', ...words].filter(Boolean).join('  ');
}
