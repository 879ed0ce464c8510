import { z } from 'zod';
import { operation } from '../operation.ts';
import { queryInteger } from '../schemas/common.ts';
import { EVENT_KINDS, MOST_FOLLOWED_LOGS } from '../schemas/event.ts';
import { DeploymentStreamMessage, EventMessage } from '../schemas/stream.ts';
import { DeploymentPath } from './parameters.ts';

const tag = 'Events';

const After = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the ID of an event: 1 to 15 digits')
  .optional()
  .describe(
    'ID of the last event that the client received. The stream begins after this event. The header `Last-Event-ID` takes precedence over this parameter.',
  );

const KINDS = new RegExp(`^(${EVENT_KINDS.join('|')})(,(${EVENT_KINDS.join('|')}))*$`);

const FOLLOWED_LOG = '[a-z0-9-]{1,63}/[a-z0-9-]{1,63}/[a-z0-9-]{1,63}(@\\d{1,15})?';
const FOLLOWED_LOGS = new RegExp(`^${FOLLOWED_LOG}(,${FOLLOWED_LOG}){0,${MOST_FOLLOWED_LOGS - 1}}$`);

const Logs = z
  .string()
  .regex(
    FOLLOWED_LOGS,
    `must be at most ${MOST_FOLLOWED_LOGS} app addresses (project/environment/app), separated by commas, each optionally followed by @ and a position`,
  )
  .optional()
  .describe(
    `Addresses of apps whose log lines the stream also sends: at most ${MOST_FOLLOWED_LOGS}, separated by commas. To continue after the last received log lines, append \`@\` and their \`seq\` to the address. Example: \`shop/production/web@123,shop/production/api\`.`,
  );

const Past = queryInteger(1, 300)
  .optional()
  .describe(
    'Number of seconds to look back. The stream first sends the events of this time, for example of the last 60 seconds. Davit ignores this parameter if the request has `after` or `Last-Event-ID`.',
  );

const Heartbeat = queryInteger(1, 15)
  .optional()
  .describe(
    'Heartbeat interval in seconds. After this time without events, Davit sends an empty comment line, so that clients can detect a dead connection. Default: 15.',
  );

const resumed =
  'Each event has a number as its `id`. To resume the stream without a gap, send the last `id` in the header `Last-Event-ID`. The browser API `EventSource` does this automatically. Davit sends a comment after 15 seconds without events.';

export const followEvents = operation({
  id: 'followEvents',
  method: 'GET',
  path: '/events',
  tag,
  summary: 'Stream events',
  description: [
    `The stream sends the events of all projects that the caller can access. The stream begins now, or after the event in \`after\`. ${resumed} A stream that begins now first sends an \`id\` without an event, as its position. If Davit no longer stores the events after the requested position, the stream sends an event \`reset\` and continues with new events. Before Davit ends a stream, the stream sends an event \`reset\` with the reason.`,
    'With the parameter `logs`, the stream also has events `log` with log lines of apps, in the format of the operation `getAppLogs`. For each app, Davit first sends the newest 500 lines or the lines after the given position. Davit then sends new lines. Events `log` have no `id`: `seq` in their data is the position in the log of the app. An event `reset` with `app` concerns only the log of this app and does not end the stream. If the position is no longer available, Davit sends the newest lines of the app again. If the app was deleted or its log cannot be read, Davit sends no more lines of the app.',
  ].join('\n\n'),
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    after: After,
    kinds: z
      .string()
      .regex(KINDS, `must be one or more of ${EVENT_KINDS.join(', ')}, separated by commas`)
      .default('deployment,app,instance,task,resource')
      .describe(
        `Kinds of events to send, separated by commas: ${EVENT_KINDS.join(', ')}. Default: all kinds except \`metric\` and \`machine\`, which report the resource use of apps and of the server.`,
      ),
    app: z
      .string()
      .max(200)
      .optional()
      .describe('Filter by the address of an app, `project/environment/app`. Default: events of all apps.'),
    past: Past,
    logs: Logs,
    heartbeat: Heartbeat,
  }),
  responses: {
    200: {
      description: 'Event stream. It stays open until the client closes the connection.',
      events: EventMessage,
    },
  },
  errors: ['not_found'],
});

export const followDeployment = operation({
  id: 'followDeployment',
  method: 'GET',
  path: '/apps/{project}/{environment}/{app}/deployments/{deployment}/events',
  tag,
  summary: 'Stream the events of a deployment',
  description: `The stream begins with the first event of the deployment, or after the event in \`after\`. The stream ends when the deployment has finished. ${resumed} If Davit no longer stores the first events of the deployment, the stream begins with an event \`reset\`.`,
  permission: 'read',
  scope: 'deployment',
  effect: 'read',
  params: DeploymentPath,
  query: z.strictObject({ after: After }),
  responses: {
    200: { description: 'Event stream. It ends when the deployment has finished.', events: DeploymentStreamMessage },
    204: {
      description: 'The deployment has finished, and the event in `after` or `Last-Event-ID` was its last event.',
    },
  },
});
