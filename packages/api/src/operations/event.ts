import { z } from 'zod';
import { operation } from '../operation.ts';
import { queryInteger } from '../schemas/common.ts';
import { EVENT_KINDS, MOST_FOLLOWED_LOGS } from '../schemas/event.ts';
import { DeploymentStreamMessage, EventMessage } from '../schemas/stream.ts';
import { DeploymentPath } from './parameters.ts';

const tag = 'Events';

const After = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the number of an event')
  .optional()
  .describe('Begin after this event; the header `Last-Event-ID`, which wins, says the same.');

const KINDS = new RegExp(`^(${EVENT_KINDS.join('|')})(,(${EVENT_KINDS.join('|')}))*$`);

const FOLLOWED_LOG = '[a-z0-9-]{1,63}/[a-z0-9-]{1,63}/[a-z0-9-]{1,63}(@\\d{1,15})?';
const FOLLOWED_LOGS = new RegExp(`^${FOLLOWED_LOG}(,${FOLLOWED_LOG}){0,${MOST_FOLLOWED_LOGS - 1}}$`);

const Logs = z
  .string()
  .regex(
    FOLLOWED_LOGS,
    `must be at most ${MOST_FOLLOWED_LOGS} references, «project/environment/app», with commas between, each with «@» and a position if it has one`,
  )
  .optional()
  .describe(
    `Also what these apps write: references with commas between, at most ${MOST_FOLLOWED_LOGS}, each with the \`seq\` of the last lines you have behind an «@»: \`shop/production/web@123,shop/production/api\`.`,
  );

const Past = queryInteger(1, 300)
  .optional()
  .describe('Without a position: begin with what happened in the past so many seconds, while you read what you show.');

const Heartbeat = queryInteger(1, 15)
  .optional()
  .describe('After how many seconds of silence a comment is sent, so that you notice when the connection is dead.');

const resumed =
  'Each event has its number as `id`: sent as `Last-Event-ID` (as `EventSource` does by itself) it resumes the stream without a gap. A comment is sent after 15 s of silence.';

export const followEvents = operation({
  id: 'followEvents',
  method: 'GET',
  path: '/events',
  tag,
  summary: 'Follow what happens',
  description: `What happens in the projects you see, from now on or after an event. ${resumed} A stream that begins now tells its position first, as an \`id\` without an event. An event \`reset\` says that what follows the position is not kept any more, and the stream goes on from now; or, as its last event, why it ends.\n\nWith \`logs\` the same stream also has what apps write, as events \`log\` with the data that \`getAppLogs\` tells: the newest 500 lines of each app, or those after your position, then those that come in. They have no number of their own, so that the position of the stream stays that of what happened; the position in an app’s lines is their \`seq\`. What concerns one app alone does not end the stream: an event \`reset\` with \`app\` says that its position is gone (then its newest lines come again), that it was deleted, or that its lines cannot be read.`,
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    after: After,
    kinds: z
      .string()
      .regex(KINDS, `must be some of ${EVENT_KINDS.join(', ')}, with commas between`)
      .default('deployment,app,instance,task,resource')
      .describe(
        `Some of ${EVENT_KINDS.join(', ')}, with commas between; what is measured, of apps and of the machine, has to be asked for.`,
      ),
    app: z.string().max(200).optional().describe('Only what concerns the app `project/environment/app`.'),
    past: Past,
    logs: Logs,
    heartbeat: Heartbeat,
  }),
  responses: {
    200: {
      description: 'The events, until you close the connection.',
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
  summary: 'Follow a deployment',
  description: `From its beginning, or after an event, to its end, with which the stream ends. ${resumed} Of a deployment whose beginning is not kept any more, the first event is \`reset\`.`,
  permission: 'read',
  scope: 'deployment',
  effect: 'read',
  params: DeploymentPath,
  query: z.strictObject({ after: After }),
  responses: {
    200: { description: 'The events, until the deployment has ended.', events: DeploymentStreamMessage },
    204: { description: 'The deployment has ended, and nothing comes after that position.' },
  },
});
