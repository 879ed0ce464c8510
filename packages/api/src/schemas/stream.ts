/**
 * Schemas of the messages in each event stream of the API. In each message, the value of `event` determines the schema
 * of `data`.
 */
import { z } from 'zod';
import {
  AppEvent,
  DeploymentEvent,
  InstanceEvent,
  MachineEvent,
  MetricEvent,
  Reset,
  ResourceEvent,
  TaskEvent,
} from './event.ts';
import { LogEvent } from './log.ts';
import { Run, RunLines } from './run.ts';

function message<const E extends string, D extends z.ZodType>(id: string, event: E, data: D) {
  return z
    .object({
      id: z
        .string()
        .optional()
        .describe(
          'Position of the event in the stream. To resume the stream after this event, send the position in the header `Last-Event-ID`.',
        ),
      event: z.literal(event),
      data,
    })
    .meta({ id, description: 'One event of a stream. The field `data` is one line of JSON.' });
}

const DeploymentMessage = message('DeploymentMessage', 'deployment', DeploymentEvent);
const LogMessage = message('LogMessage', 'log', LogEvent);
const ResetMessage = message('ResetMessage', 'reset', Reset);

/** Messages of `GET /api/events`: all events of the instance, and log lines of apps. */
export const EventMessage = z
  .discriminatedUnion('event', [
    DeploymentMessage,
    message('AppMessage', 'app', AppEvent),
    message('InstanceMessage', 'instance', InstanceEvent),
    message('MetricMessage', 'metric', MetricEvent),
    message('MachineMessage', 'machine', MachineEvent),
    message('TaskMessage', 'task', TaskEvent),
    message('ResourceMessage', 'resource', ResourceEvent),
    LogMessage,
    ResetMessage,
  ])
  .meta({ id: 'EventMessage' });
export type EventMessage = z.infer<typeof EventMessage>;

export const DeploymentStreamMessage = z
  .discriminatedUnion('event', [DeploymentMessage, ResetMessage])
  .meta({ id: 'DeploymentStreamMessage' });

export const LogStreamMessage = z
  .discriminatedUnion('event', [LogMessage, ResetMessage])
  .meta({ id: 'LogStreamMessage' });

/**
 * Messages in the event stream of a command run. The first messages contain the output of the command. The last message
 * contains the run with its exit code.
 */
export const RunStreamMessage = z
  .discriminatedUnion('event', [
    message('RunLinesMessage', 'log', RunLines),
    message('RunMessage', 'run', Run),
    ResetMessage,
  ])
  .meta({ id: 'RunStreamMessage' });
export type RunStreamMessage = z.infer<typeof RunStreamMessage>;
