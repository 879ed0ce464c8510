/** Query parameters and responses that several API operations share. */
import { z } from 'zod';
import { QueryBoolean } from '../schemas/common.ts';
import { AppPlan, Deployment, DeployPlan } from '../schemas/deployment.ts';

export const deploymentHeaders = { Location: 'URL of the deployment.' };

export const accepted = {
  description:
    'The deployment runs in the background. To follow the deployment, poll the URL in the header `Location`.',
  schema: Deployment,
  headers: deploymentHeaders,
};

export const ended = {
  description: 'With `wait=true`, the response is the finished deployment. The field `status` has the result.',
  schema: Deployment,
  headers: deploymentHeaders,
};

const dry_run = QueryBoolean.optional().describe(
  '`true` returns a preview of the deployment and changes nothing. Default: `false`.',
);

/** Query parameters of a request that changes one app. With `deploy=true`, the request also starts a deployment. */
export const DeployQuery = z.strictObject({
  dry_run,
  deploy: QueryBoolean.optional().describe(
    '`true` also deploys the change immediately. The deployment uses the image of the live release, unless the settings specify another image. If the app has no release and its last deployment failed, the new deployment uses the tag of that deployment. If Davit cannot start the deployment, it does not save the change. Default: `false`.',
  ),
});

/**
 * Query parameters of a change that affects several apps. With `deploy=true`, the request also deploys the affected
 * live apps.
 */
export const DeployAllQuery = z.strictObject({
  dry_run,
  deploy: QueryBoolean.optional().describe(
    '`true` also deploys the change to all affected apps that are live. Each app keeps the image of its live release. If Davit cannot start all deployments, it does not save the change. Default: `false`.',
  ),
});

/**
 * Returns the response definition of an operation that changes one app. The response is the changed resource. With
 * `dry_run=true`, it is a deployment plan.
 */
export function changedOrPlanned<S extends z.ZodType>(description: string, schema: S) {
  return {
    description: `${description} With \`dry_run=true\`, the response contains only a preview of the deployment (\`DeployPlan\`).`,
    schema: z.union([schema, DeployPlan]),
  };
}

/**
 * Returns the response definition of an operation that changes several apps. The response is the changed resource. With
 * `dry_run=true`, it is a list of deployment plans.
 */
export function changedOrAllPlanned<S extends z.ZodType>(description: string, schema: S) {
  const plans = 'one for each live app whose variables would change';
  return {
    description: `${description} With \`dry_run=true\`, the response contains only a list of deployment previews (\`AppPlan\`), ${plans}.`,
    schema: z.union([schema, z.array(AppPlan)]),
  };
}

export const changeDeployed = {
  askedBy: 'deploy',
  description:
    'With `deploy=true`, the response is the new deployment. To follow the deployment, poll the URL in the header `Location`.',
  schema: Deployment,
  headers: deploymentHeaders,
};

export const changesDeployed = {
  askedBy: 'deploy',
  description:
    'With `deploy=true`, the response is a list with one new deployment for each live app whose variables change.',
  schema: z.array(Deployment),
};

/** Sentence that is part of the description of MCP tools that start a deployment. */
export const waitsForEnd =
  'The tool returns when the deployment has finished, or after 50 seconds. A longer deployment continues: to get its result, call get_deployment with `wait`. To return immediately, set `wait` to false. If the deployment failed, `error` has the reason and `log` has the last log lines.';
