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
  dry_run: QueryBoolean.optional().describe('Answer the plan and do nothing.'),
});
const endedOrPlanned = {
  description: 'With `wait=true`: the record of the deployment that has ended. With `dry_run=true`: the plan.',
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
    'Starts the tag beside what is live, proves that it answers, moves the traffic without losing a request, and retires the old release. With `from` it is the image that is live in another app that you see, by its digest. Runs detached: a client that goes away changes nothing. A stopped app is started by it.',
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
    description: `Starts the tag beside what is live, proves that it answers, and moves the traffic without losing a request; when it fails, what was live stays live. ${waitsForEnd}`,
    without: ['dry_run', 'from'],
    required: ['tag'],
    says: { tag: 'The tag to deploy.' },
    answer: Deployment,
    tellsText: true,
  },
});

export const rollbackApp = operation({
  id: 'rollbackApp',
  method: 'POST',
  path: `${app}/rollback`,
  tag,
  summary: 'Go back to an earlier release',
  description: 'Deploys the exact image, settings and variables of a deployment that succeeded.',
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
    description: `Deploys the exact image, settings and variables of an earlier deployment that succeeded. ${waitsForEnd}`,
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
  summary: 'List an app’s deployments, newest first',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'The deployments.', schema: z.array(Deployment) } },
  tool: {},
});

export const listRecentDeployments = operation({
  id: 'listRecentDeployments',
  method: 'GET',
  path: '/deployments',
  tag,
  summary: 'List the deployments of all apps, newest first',
  description: 'Of all apps in the projects you see.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    ...recordPaging,
    status: z
      .enum(DEPLOYMENT_STATUSES, `must be one of ${DEPLOYMENT_STATUSES.join(', ')}`)
      .optional()
      .describe('Only those that are this now.'),
  }),
  responses: { 200: { description: 'The deployments.', schema: z.array(Deployment) } },
  tool: {},
});

export const getDeployment = operation({
  id: 'getDeployment',
  method: 'GET',
  path: `${app}/deployments/{deployment}`,
  tag,
  summary: 'Read a deployment',
  permission: 'read',
  scope: 'deployment',
  effect: 'read',
  params: DeploymentPath,
  query: z.strictObject({ wait: Wait }),
  responses: { 200: { description: 'The deployment.', schema: Deployment } },
  tool: {
    description:
      'With the last lines of the log of one that failed. With `wait` it is answered when it has ended, or after 50 seconds.',
    tellsText: true,
  },
});

export const cancelDeployment = operation({
  id: 'cancelDeployment',
  method: 'POST',
  path: `${app}/deployments/{deployment}/cancel`,
  tag,
  summary: 'Cancel a deployment',
  description: 'Possible until the traffic moves; what is live stays as it is.',
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
  summary: 'Forget a deployment',
  description:
    'Removes the record of one that has ended, and lets go of its image: it cannot be gone back to any more. Not the live one.',
  permission: 'operate',
  scope: 'deployment',
  effect: 'destroy',
  params: DeploymentPath,
  responses: { 204: { description: 'It is forgotten.' } },
  errors: ['conflict'],
});

export const promoteEnvironment = operation({
  id: 'promoteEnvironment',
  method: 'POST',
  path: '/projects/{project}/environments/{environment}/promote',
  tag,
  summary: 'Promote the apps of another environment',
  description:
    'Deploys in each app of this environment the image that is live in the app of the same name there, by its digest, with the settings and variables of here. A name that is not an app of both refuses all; what cannot be done in one app afterwards is told of that app alone.',
  permission: 'operate',
  scope: 'environment',
  effect: 'write',
  params: EnvironmentPath,
  query: z.strictObject({
    dry_run: QueryBoolean.optional().describe('Answer each app’s plan and do nothing.'),
  }),
  body: PromoteInput,
  errors: ['quota_exceeded'],
  responses: {
    200: { description: 'With `dry_run=true`: what would be done, by app.', schema: z.array(PromotionPlan) },
    202: { description: 'What was asked for, by app.', schema: z.array(Promotion) },
  },
  tool: { without: ['dry_run'], answer: z.array(Promotion) },
});
