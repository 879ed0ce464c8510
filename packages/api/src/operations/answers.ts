/** Answers that several operations have in common. */
import { z } from 'zod';
import { QueryBoolean } from '../schemas/common.ts';
import { AppPlan, Deployment, DeployPlan } from '../schemas/deployment.ts';

export const deploymentHeaders = { Location: 'Where the deployment’s record is.' };

export const accepted = {
  description: 'Accepted: the record to poll, at `Location`.',
  schema: Deployment,
  headers: deploymentHeaders,
};

export const ended = {
  description: 'With `wait=true`: the record of the deployment that has ended, succeeded or not.',
  schema: Deployment,
  headers: deploymentHeaders,
};

const dry_run = QueryBoolean.optional().describe('Answer what a deployment of it would do, and change nothing.');

/** With it a change of one app is deployed in the same request. */
export const DeployQuery = z.strictObject({
  dry_run,
  deploy: QueryBoolean.optional().describe(
    'Deploy it at once, of the image that is live unless the settings name another. Change and deployment are recorded together or not at all.',
  ),
});

/** The same for a change that concerns several apps. */
export const DeployAllQuery = z.strictObject({
  dry_run,
  deploy: QueryBoolean.optional().describe(
    'Deploy every live app that it makes a difference to, of the image that is live. Change and deployments are recorded together or not at all.',
  ),
});

/** A change that was made, or with `dry_run=true` what its deployment would do. */
export function changedOrPlanned<S extends z.ZodType>(description: string, schema: S) {
  return { description: `${description} With \`dry_run=true\`: the plan.`, schema: z.union([schema, DeployPlan]) };
}

/** The same of a change that concerns several apps. */
export function changedOrAllPlanned<S extends z.ZodType>(description: string, schema: S) {
  const plans = 'the plan of each live app that would get other values';
  return {
    description: `${description} With \`dry_run=true\`: ${plans}.`,
    schema: z.union([schema, z.array(AppPlan)]),
  };
}

export const changeDeployed = {
  askedBy: 'deploy',
  description: 'With `deploy=true`: the deployment that was asked for, to be polled at `Location`.',
  schema: Deployment,
  headers: deploymentHeaders,
};

export const changesDeployed = {
  askedBy: 'deploy',
  description: 'With `deploy=true`: the deployments that were asked for, one of each live app that gets other values.',
  schema: z.array(Deployment),
};

/** What agents are told of every tool that begins a deployment. */
export const waitsForEnd =
  'Unless `wait` is false it is answered when the deployment has ended, or as it is after 50 seconds: it goes on then, and get_deployment with `wait` says how it ends. Of one that failed, `error` says why and `log` has the last lines.';
