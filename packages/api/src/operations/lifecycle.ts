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
    'Davit deploys the image and the revision of the live release again, with new containers. No request is lost. Pending changes of settings stay pending.',
  query: z.strictObject({ wait: Wait }),
  errors: ['quota_exceeded'],
  responses: { 200: ended, 202: accepted },
  tool: {
    description: `Davit deploys the live release again, with new containers. Pending changes of settings stay pending. ${waitsForEnd}`,
    tellsText: true,
  },
});

export const stopApp = operation({
  ...common,
  id: 'stopApp',
  path: `${path}/stop`,
  summary: 'Stop an app',
  description:
    'Requests to the hosts of the app get the status 503, and other apps can no longer resolve its internal host names. Davit then stops the containers according to the stop policy of the app. The app stays stopped until you start or deploy the app, even after a restart of the instance. Davit cancels deployments in progress. Volumes, domains and settings are kept. If the app is already stopped, the request changes nothing.',
  query: z.strictObject({
    wait: QueryBoolean.optional().describe(
      '`true` delays the response until all containers of the app are stopped. Default: `false`.',
    ),
  }),
  responses: { 200: { description: 'The stopped app.', schema: App } },
  tool: { repeatable: true },
});

export const startApp = operation({
  ...common,
  id: 'startApp',
  path: `${path}/start`,
  summary: 'Start an app',
  description:
    'Starts a stopped app. Davit deploys the image and the revision that were live when the app was stopped. If `scale` or `limits` have changed since then, the new values apply.',
  query: z.strictObject({ wait: Wait }),
  errors: ['quota_exceeded'],
  responses: { 200: ended, 202: accepted },
  tool: {
    description: `Davit deploys the release that was live when the app was stopped. ${waitsForEnd}`,
    tellsText: true,
  },
});
