import { z } from 'zod';
import { operation } from '../operation.ts';
import { DeploymentHappening, EVENT_KINDS, Happening } from '../schemas/event.ts';
import { DeploymentPath } from './parameters.ts';

const tag = 'Events';

const After = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the number of an event')
  .optional()
  .describe('Begin after this event; the header `Last-Event-ID`, which wins, says the same.');

const KINDS = new RegExp(`^(${EVENT_KINDS.join('|')})(,(${EVENT_KINDS.join('|')}))*$`);

const resumed =
  'Each event has its number as `id`: sent as `Last-Event-ID` (as `EventSource` does by itself) it resumes the stream without a gap. A comment is sent after 15 s of silence.';

export const followEvents = operation({
  id: 'followEvents',
  method: 'GET',
  path: '/events',
  tag,
  summary: 'Follow what happens',
  description: `What happens in the projects you see, from now on or after an event. ${resumed} An event \`reset\` says that what follows the position is not kept any more, and the stream goes on from now; or, as its last event, why it ends.`,
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    after: After,
    kinds: z
      .string()
      .regex(KINDS, `must be some of ${EVENT_KINDS.join(', ')}, with commas between`)
      .default('deployment,app,instance')
      .describe(`Some of ${EVENT_KINDS.join(', ')}, with commas between; metrics have to be asked for.`),
    app: z.string().max(200).optional().describe('Only what concerns the app `project/environment/app`.'),
  }),
  responses: { 200: { description: 'The events, until you close the connection.', events: Happening } },
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
    200: { description: 'The events, until the deployment has ended.', events: DeploymentHappening },
    204: { description: 'The deployment has ended, and nothing comes after that position.' },
  },
});
