import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import {
  DeployInput,
  Deployment,
  DeployPlan,
  PromoteInput,
  Promotion,
  PromotionPlan,
  RollbackInput,
} from '../schemas/deployment.ts';
import { DEPLOYMENT_STATUSES } from '../states/deployment.ts';
import { accepted, deploymentHeaders, waitsForEnd } from './answers.ts';
import { AppPath, DeploymentPath, EnvironmentPath, recordPaging, Wait } from './parameters.ts';

const tag = 'Deployments';
const app = '/apps/{project}/{environment}/{app}';
const plannable = z.strictObject({
  wait: Wait,
  dry_run: QueryBoolean.optional().describe(
    '`true` returns a preview of the deployment and changes nothing. Default: `false`.',
  ),
});
const endedOrPlanned = {
  description:
    'With `wait=true`, the response is the finished deployment. With `dry_run=true`, the response is a preview of the deployment (`DeployPlan`).',
  schema: z.union([Deployment, DeployPlan]),
  headers: deploymentHeaders,
};

export const deployApp = operation({
  id: 'deployApp',
  method: 'POST',
  path: `${app}/deploy`,
  tag,
  summary: 'Deploy a release',
  description:
    'Davit starts the new release while the live release keeps running, and waits until the new release is ready. Davit then moves the traffic without losing a request and stops the old release. For an app with a volume or a published TCP port, Davit stops the old release first. With `from`, Davit deploys the image of the live release of another app that the caller can access. The deployment runs in the background, even if the client disconnects. A deployment of a stopped app starts the app.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  query: plannable,
  body: DeployInput,
  bodyOptional: true,
  errors: ['quota_exceeded'],
  responses: { 200: endedOrPlanned, 202: accepted },
  tool: {
    description: `Davit starts the release of the tag while the live release keeps running, and waits until the new release is ready. Davit then moves the traffic without losing a request. If the deployment fails, the old release stays live. ${waitsForEnd}`,
    without: ['dry_run', 'from'],
    required: ['tag'],
    says: { tag: 'Tag of the release to deploy.' },
    answer: Deployment,
    tellsText: true,
  },
});

export const rollbackApp = operation({
  id: 'rollbackApp',
  method: 'POST',
  path: `${app}/rollback`,
  tag,
  summary: 'Roll back an app',
  description: 'Davit deploys the exact image, settings and variables of an earlier successful deployment.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  query: plannable,
  body: RollbackInput,
  bodyOptional: true,
  errors: ['quota_exceeded'],
  responses: { 200: endedOrPlanned, 202: accepted },
  tool: {
    description: `Davit deploys the exact image, settings and variables of an earlier successful deployment. ${waitsForEnd}`,
    without: ['dry_run'],
    answer: Deployment,
    tellsText: true,
  },
});

export const listDeployments = operation({
  id: 'listDeployments',
  method: 'GET',
  path: `${app}/deployments`,
  tag,
  summary: 'List the deployments of an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'Deployments, newest first.', schema: z.array(Deployment) } },
  tool: {},
});

export const listRecentDeployments = operation({
  id: 'listRecentDeployments',
  method: 'GET',
  path: '/deployments',
  tag,
  summary: 'List deployments of all apps',
  description: 'Returns the deployments of all apps in projects that the caller can access.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    ...recordPaging,
    status: z
      .enum(DEPLOYMENT_STATUSES, `must be one of ${DEPLOYMENT_STATUSES.join(', ')}`)
      .optional()
      .describe('Filter by deployment status. Default: deployments with any status.'),
  }),
  responses: { 200: { description: 'Deployments, newest first.', schema: z.array(Deployment) } },
  tool: {},
});

export const getDeployment = operation({
  id: 'getDeployment',
  method: 'GET',
  path: `${app}/deployments/{deployment}`,
  tag,
  summary: 'Get a deployment',
  permission: 'read',
  scope: 'deployment',
  effect: 'read',
  params: DeploymentPath,
  query: z.strictObject({ wait: Wait }),
  responses: { 200: { description: 'The deployment.', schema: Deployment } },
  tool: {
    description:
      'The result of a failed deployment includes the last lines of its log. With `wait`, the tool returns when the deployment has finished, or after 50 seconds.',
    tellsText: true,
  },
});

export const cancelDeployment = operation({
  id: 'cancelDeployment',
  method: 'POST',
  path: `${app}/deployments/{deployment}/cancel`,
  tag,
  summary: 'Cancel a deployment',
  description:
    'You can cancel a deployment until Davit moves the traffic to the new release. The live release does not change.',
  permission: 'operate',
  scope: 'deployment',
  effect: 'write',
  params: DeploymentPath,
  responses: { 200: { description: 'The deployment.', schema: Deployment } },
  tool: { repeatable: true, tellsText: true },
});

export const deleteDeployment = operation({
  id: 'deleteDeployment',
  method: 'DELETE',
  path: `${app}/deployments/{deployment}`,
  tag,
  summary: 'Delete a deployment',
  description:
    'Davit deletes a finished deployment and no longer keeps its image. A rollback to this deployment is no longer possible. The live deployment cannot be deleted.',
  permission: 'operate',
  scope: 'deployment',
  effect: 'destroy',
  params: DeploymentPath,
  responses: { 204: { description: 'The deployment was deleted.' } },
  errors: ['conflict'],
});

export const promoteEnvironment = operation({
  id: 'promoteEnvironment',
  method: 'POST',
  path: '/projects/{project}/environments/{environment}/promote',
  tag,
  summary: 'Promote apps from another environment',
  description:
    'Davit deploys the live images of the source environment `from` to the apps with the same names in this environment. The apps keep the settings and variables of this environment. If an app in `apps` does not exist in both environments, Davit refuses the whole request. If the promotion of one app fails, the other apps are still promoted; the field `error` of the app has the reason.',
  permission: 'operate',
  scope: 'environment',
  effect: 'write',
  params: EnvironmentPath,
  query: z.strictObject({
    dry_run: QueryBoolean.optional().describe(
      '`true` returns a preview of the deployment of each app and changes nothing. Default: `false`.',
    ),
  }),
  body: PromoteInput,
  errors: ['quota_exceeded'],
  responses: {
    200: {
      description: 'With `dry_run=true`, the response has a preview of the deployment of each app.',
      schema: z.array(PromotionPlan),
    },
    202: {
      description: 'Result for each app: the new deployment, or the reason why there is none.',
      schema: z.array(Promotion),
    },
  },
  tool: { without: ['dry_run'], answer: z.array(Promotion) },
});
