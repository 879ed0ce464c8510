/** Answers that several operations have in common. */
import { z } from 'zod';
import { QueryBoolean } from '../schemas/common.ts';
import { AppPlan, Deployment, DeployPlan } from '../schemas/deployment.ts';

export const deploymentHeaders = { Location: 'URL of the deployment.' };

export const accepted = {
  description: 'The deployment runs in the background. To follow the deployment, poll the URL in `Location`.',
  schema: Deployment,
  headers: deploymentHeaders,
};

export const ended = {
  description: 'With `wait=true`, the response is the ended deployment. The field `status` has the result.',
  schema: Deployment,
  headers: deploymentHeaders,
};

const dry_run = QueryBoolean.optional().describe(
  '`true` returns the plan of the deployment and changes nothing. Default: `false`.',
);

/** Query of a change of one app that can be deployed in the same request. */
export const DeployQuery = z.strictObject({
  dry_run,
  deploy: QueryBoolean.optional().describe(
    '`true` also deploys the change immediately. The deployment uses the image of the live release unless the settings name another image. Davit saves both the change and the deployment, or neither. Default: `false`.',
  ),
});

/** Query of a change of several apps that can be deployed in the same request. */
export const DeployAllQuery = z.strictObject({
  dry_run,
  deploy: QueryBoolean.optional().describe(
    '`true` also deploys each live app that the change affects, with the image of its live release. Davit saves the change and all deployments, or nothing. Default: `false`.',
  ),
});

/** Returns the response of a change of one app: the changed object, or its deployment plan with `dry_run=true`. */
export function changedOrPlanned<S extends z.ZodType>(description: string, schema: S) {
  return {
    description: `${description} With \`dry_run=true\`, the response is the deployment plan instead.`,
    schema: z.union([schema, DeployPlan]),
  };
}

/** Returns the response of a change of several apps: the changed object, or the plans with `dry_run=true`. */
export function changedOrAllPlanned<S extends z.ZodType>(description: string, schema: S) {
  const plans = 'one deployment plan for each live app whose variables would change';
  return {
    description: `${description} With \`dry_run=true\`, the response is a list instead: ${plans}.`,
    schema: z.union([schema, z.array(AppPlan)]),
  };
}

export const changeDeployed = {
  askedBy: 'deploy',
  description:
    'With `deploy=true`, the response is the new deployment. To follow the deployment, poll the URL in `Location`.',
  schema: Deployment,
  headers: deploymentHeaders,
};

export const changesDeployed = {
  askedBy: 'deploy',
  description:
    'With `deploy=true`, the response is a list of deployments: one for each live app whose variables change.',
  schema: z.array(Deployment),
};

/** Part of the description of each tool that starts a deployment. */
export const waitsForEnd =
  'The tool returns when the deployment has ended, or after 50 seconds. A deployment that takes longer continues: call get_deployment with `wait` for its result. Set `wait` to false to return immediately. If the deployment failed, `error` has the reason and `log` has its last lines.';
