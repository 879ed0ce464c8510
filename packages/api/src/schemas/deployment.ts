import { z } from 'zod';
import { DEPLOYMENT_PROBLEM_CODES } from '../problems/work.ts';
import { DEPLOYMENT_PHASES, DEPLOYMENT_STATUSES } from '../states/deployment.ts';
import { AppReference, Slug, TagOrDigest, Timestamp, Via } from './common.ts';

export const TRIGGER_KINDS = ['api', 'push', 'rollback', 'promote', 'scale', 'restart', 'start', 'template'] as const;

export const DeployInput = z
  .strictObject({
    tag: TagOrDigest.optional().describe(
      'Tag to deploy. Default: the pinned tag of the app, or the tag of the live release if no tag is pinned. For an image of another registry, the value can also be a digest, such as `sha256:…`.',
    ),
    from: AppReference.optional().describe(
      'Address of another app whose live image you want to deploy (promotion). The deployed app keeps its own settings and variables. Do not send `tag` with this field.',
    ),
  })
  .refine(({ tag, from }) => tag === undefined || from === undefined, {
    path: ['from'],
    error: 'must be sent without tag, because Davit deploys the live image of the other app',
  })
  .meta({ id: 'Deploy' });
export type DeployInput = z.infer<typeof DeployInput>;

export const RollbackInput = z
  .strictObject({
    deployment: z
      .int()
      .positive()
      .optional()
      .describe('ID of the deployment to roll back to. Default: the deployment of the previous live release.'),
  })
  .meta({ id: 'Rollback' });
export type RollbackInput = z.infer<typeof RollbackInput>;

export const DeploymentStep = z
  .object({
    name: z.string().describe('Name of the step of the deployment.'),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    error: z.string().nullable().describe('Reason why the step failed. `null` if the step did not fail.'),
  })
  .meta({ id: 'DeploymentStep' });

export const Trigger = z
  .object({
    kind: z.enum(TRIGGER_KINDS).describe('Action that started the deployment, for example `push` or `rollback`.'),
    by: z.string().describe('Name of the user who started the deployment.'),
    via: Via,
  })
  .meta({ id: 'Trigger' });
export type Trigger = z.infer<typeof Trigger>;

export const Deployment = z
  .object({
    id: z.int().describe('ID of the deployment. The ID is unique in the instance and never reused.'),
    app: z.string().describe('Address of the app: `project/environment/app`.'),
    tag: z.string().describe('Tag of the deployed release.'),
    image: z
      .string()
      .describe(
        'Full image reference. If the image comes from a project that you cannot see, the reference contains the repository of the deployed app instead.',
      ),
    digest: z
      .string()
      .nullable()
      .describe('Digest of the image manifest, or the image ID if Docker has no digest for the image.'),
    status: z
      .enum(DEPLOYMENT_STATUSES)
      .describe(
        'Status of the deployment. `pending`: the deployment waits for another deployment of the app. `succeeded`: the new release receives all new requests.',
      ),
    phase: z
      .enum(DEPLOYMENT_PHASES)
      .nullable()
      .describe('Current phase of the deployment. `null` if the deployment is not running.'),
    steps: z.array(DeploymentStep).describe('Steps of the deployment that have started, in order.'),
    revision: z.int().describe('Number of the app revision whose settings and variables the release uses.'),
    trigger: Trigger,
    rollback_of: z
      .int()
      .nullable()
      .describe(
        'ID of the earlier deployment that this rollback restored. `null` if this deployment is not a rollback.',
      ),
    promoted_from: z
      .object({
        app: z
          .string()
          .nullable()
          .describe(
            'Address of the app that the image was promoted from. `null` if you cannot see the project of that app.',
          ),
        deployment: z
          .int()
          .describe('ID of the deployment that was live in the source app at the time of the promotion.'),
      })
      .nullable()
      .describe('App and deployment that the image was promoted from. `null` if this deployment is not a promotion.'),
    superseded_by: z
      .int()
      .nullable()
      .describe(
        'ID of the newer deployment that replaced this deployment before it started. `null` if this deployment was not replaced.',
      ),
    error: z
      .string()
      .nullable()
      .describe(
        'Reason why the deployment failed or was canceled, in one sentence. `null` if the deployment did not fail and was not canceled.',
      ),
    error_code: z
      .enum(DEPLOYMENT_PROBLEM_CODES)
      .nullable()
      .describe(
        'Code of the error that caused the failure. Only errors that concern the image, the registry, Docker, the quota or the health check have a code. `null` in all other cases.',
      ),
    image_missing: z
      .object({
        since: Timestamp.describe('Time when Davit found that the image is missing.'),
        pulled_again: z
          .boolean()
          .describe(
            'Whether a rollback can pull the image again by its digest. `false` if no known registry has the image.',
          ),
      })
      .nullable()
      .describe(
        'Details about the missing image of the release, which another user or program removed from Docker. `null` if Docker still has the image.',
      ),
    log: z
      .array(z.string())
      .optional()
      .describe(
        'Last 50 output lines of the replica that failed, or of the release command. Lists of deployments do not contain this field.',
      ),
    live: z
      .boolean()
      .describe(
        'Whether the release of this deployment is the live release, which receives new requests. A stopped app keeps its live release.',
      ),
    has_logs: z
      .boolean()
      .describe(
        'Whether the deployment has log lines. To read these lines, get the deployment and use its field `log`.',
      ),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
    duration_ms: z
      .int()
      .nullable()
      .describe('Duration of the deployment in milliseconds. While the deployment is running: time since its start.'),
  })
  .meta({ id: 'Deployment' });
export type Deployment = z.infer<typeof Deployment>;

export const DeployPlan = z
  .object({
    steps: z
      .array(z.object({ name: z.string(), describe: z.string() }))
      .describe('Steps of the deployment in order, each with a description.'),
    changes: z
      .array(z.string())
      .describe(
        'Differences between the new release and the live release, as one sentence each. A rollback lists only the names of settings and variables.',
      ),
    rollback_of: z
      .int()
      .nullable()
      .describe('ID of the deployment that the rollback restores. `null` if the plan is not the plan of a rollback.'),
  })
  .meta({ id: 'DeployPlan' });
export type DeployPlan = z.infer<typeof DeployPlan>;

export const AppPlan = z
  .object({ app: z.string().describe('Address of the app: `project/environment/app`.'), plan: DeployPlan })
  .meta({
    id: 'AppPlan',
    description:
      'Preview of the deployment of one app. If a change affects several apps, the response has one preview for each app.',
  });
export type AppPlan = z.infer<typeof AppPlan>;

export const PromoteInput = z
  .strictObject({
    from: Slug.describe(
      'Source environment in the same project. Davit deploys the live images of its apps to the target environment.',
    ),
    apps: z
      .array(Slug)
      .min(1)
      .max(1_000)
      .optional()
      .describe(
        'Names of the apps to promote. Default: all apps that exist in both environments and have a live release in the source environment.',
      ),
  })
  .meta({
    id: 'Promote',
    description: 'Request to deploy the images that are live in another environment (promotion).',
  });
export type PromoteInput = z.infer<typeof PromoteInput>;

const promoted = {
  app: z.string().describe('Address of the app that gets the image: `project/environment/app`.'),
  skipped: z
    .string()
    .nullable()
    .describe('Reason why the app needs no deployment, in one sentence. `null` if the app needs a deployment.'),
  error: z
    .string()
    .nullable()
    .describe('Reason why the app cannot be promoted, in one sentence. `null` if there was no error.'),
};

export const Promotion = z
  .object({
    ...promoted,
    deployment: Deployment.nullable().describe('Deployment of the app. `null` if Davit started no deployment.'),
  })
  .meta({ id: 'Promotion' });
export type Promotion = z.infer<typeof Promotion>;

export const PromotionPlan = z
  .object({
    ...promoted,
    plan: DeployPlan.nullable().describe(
      'Preview of the deployment of the app. `null` if the app would not be deployed.',
    ),
  })
  .meta({ id: 'PromotionPlan' });
export type PromotionPlan = z.infer<typeof PromotionPlan>;
