import { z } from 'zod';
import { operation } from '../operation.ts';
import { App } from '../schemas/app.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { accepted, ended, waitsForEnd } from './answers.ts';
import { AppPath, Wait } from './parameters.ts';

const tag = 'Apps';
const path = '/apps/{project}/{environment}/{app}';
const common = { method: 'POST', tag, permission: 'operate', scope: 'app', effect: 'write', params: AppPath } as const;

export const restartApp = operation({
  ...common,
  id: 'restartApp',
  path: `${path}/restart`,
  summary: 'Restart an app',
  description:
    'A deployment of exactly what is live, its image and its revision, with fresh instances; no request is lost. Settings that wait for a deploy go on waiting.',
  query: z.strictObject({ wait: Wait }),
  errors: ['quota_exceeded'],
  responses: { 200: ended, 202: accepted },
  tool: {
    description: `A deployment of exactly what is live, with fresh instances; settings that wait for a deploy go on waiting. ${waitsForEnd}`,
    tellsText: true,
  },
});

export const stopApp = operation({
  ...common,
  id: 'stopApp',
  path: `${path}/stop`,
  summary: 'Stop an app',
  description:
    'Its hosts answer 503 and its internal names are gone when this answers; what runs drains and ends as its stop policy says. It stays stopped, through every restart, until it is started or deployed. Deployments under way are cancelled. Volumes, domains and settings stay. Stopping a stopped app changes nothing.',
  query: z.strictObject({
    wait: QueryBoolean.optional().describe('Hold the connection until nothing of the app runs any more.'),
  }),
  responses: { 200: { description: 'The app.', schema: App } },
  tool: { repeatable: true },
});

export const startApp = operation({
  ...common,
  id: 'startApp',
  path: `${path}/start`,
  summary: 'Start a stopped app',
  description:
    'A deployment of the release that was live when the app was stopped, its image and its revision, with the scale and the limits that the app has now.',
  query: z.strictObject({ wait: Wait }),
  errors: ['quota_exceeded'],
  responses: { 200: ended, 202: accepted },
  tool: {
    description: `A deployment of the release that was live when the app was stopped. ${waitsForEnd}`,
    tellsText: true,
  },
});
