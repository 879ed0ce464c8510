import { z } from 'zod';
import { DEPLOYMENT_PHASES, DEPLOYMENT_STATUSES } from '../states/deployment.ts';
import { WORK_PROBLEM_CODES } from '../work-problem.ts';
import { AppReference, Slug, Tag, Timestamp, Via } from './common.ts';

export const TRIGGER_KINDS = ['api', 'push', 'rollback', 'promote', 'scale', 'restart', 'start', 'template'] as const;

export const DeployInput = z
  .strictObject({
    tag: Tag.optional().describe('Tag to deploy. Default: the pinned tag of the app, otherwise the live tag.'),
    from: AppReference.optional().describe(
      'Other app whose live image is deployed (promotion). The settings and variables of this app are used. It cannot be combined with `tag`.',
    ),
  })
  .refine(({ tag, from }) => tag === undefined || from === undefined, {
    path: ['from'],
    error: 'must be sent without tag: the live image of the other app is deployed',
  })
  .meta({ id: 'Deploy' });
export type DeployInput = z.infer<typeof DeployInput>;

export const RollbackInput = z
  .strictObject({
    deployment: z
      .int()
      .positive()
      .optional()
      .describe('Number of the deployment to return to. Default: the previous live release.'),
  })
  .meta({ id: 'Rollback' });
export type RollbackInput = z.infer<typeof RollbackInput>;

export const DeploymentStep = z
  .object({
    name: z.string().describe('Name of the step, as in the plan.'),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    error: z.string().nullable().describe('Reason of the failure. `null` if the step did not fail.'),
  })
  .meta({ id: 'DeploymentStep' });

export const Trigger = z
  .object({
    kind: z.enum(TRIGGER_KINDS).describe('Kind of request that started the deployment.'),
    by: z.string().describe('Name of the user who started the deployment.'),
    via: Via,
  })
  .meta({ id: 'Trigger' });
export type Trigger = z.infer<typeof Trigger>;

export const Deployment = z
  .object({
    id: z.int().describe('Number of the deployment. It is unique in the instance and never reused.'),
    app: z.string().describe('Address of the app: `project/environment/app`.'),
    tag: z.string().describe('Tag of the release, as requested.'),
    image: z
      .string()
      .describe(
        'Full image reference. If the image was pushed for an app in a project that you cannot see, its digest in the repository of this app.',
      ),
    digest: z
      .string()
      .nullable()
      .describe('Digest of the image manifest, or the image id if the engine knows no digest.'),
    status: z
      .enum(DEPLOYMENT_STATUSES)
      .describe(
        'Status of the deployment. `pending`: it waits for another deployment of the app. `succeeded`: its release receives all new requests.',
      ),
    phase: z.enum(DEPLOYMENT_PHASES).nullable().describe('Current phase. `null` if the deployment is not running.'),
    steps: z.array(DeploymentStep).describe('Steps that have started, in order.'),
    revision: z.int().describe('Number of the revision of settings and variables that the release uses.'),
    trigger: Trigger,
    rollback_of: z
      .int()
      .nullable()
      .describe(
        'Number of the deployment to whose release this rollback returned. `null` if this deployment is not a rollback.',
      ),
    promoted_from: z
      .object({
        app: z.string().nullable().describe('Address of the other app. `null` if you cannot see its project.'),
        deployment: z.int().describe('Number of the deployment that was live in the other app.'),
      })
      .nullable()
      .describe('Deployment whose image was promoted. `null` if this deployment is not a promotion.'),
    superseded_by: z
      .int()
      .nullable()
      .describe('Number of the newer deployment that replaced this one before it started. `null` if none did.'),
    error: z
      .string()
      .nullable()
      .describe('Reason why the deployment failed or was canceled, in one sentence. `null` otherwise.'),
    error_code: z
      .enum(WORK_PROBLEM_CODES)
      .nullable()
      .describe(
        'Code of a problem with the image, its registry or the engine; `null` if it failed for another reason.',
      ),
    image_missing: z
      .object({
        since: Timestamp.describe('Time when Davit found that the image is missing.'),
        pulled_again: z
          .boolean()
          .describe(
            'Whether a rollback can pull the image again by its digest. `false` if no registry is known to have it.',
          ),
      })
      .nullable()
      .describe(
        'Set if the image of this release was removed from the engine by another user or program. `null` if the image is not known to be missing.',
      ),
    log: z
      .array(z.string())
      .optional()
      .describe(
        'Last 50 lines of output of the replica that failed, or of the release command. Only in responses for a single deployment.',
      ),
    live: z
      .boolean()
      .describe(
        'Whether the release of this deployment receives new requests, or would receive them if the stopped app were started.',
      ),
    has_logs: z.boolean().describe('Whether a response for this single deployment has the field `log`.'),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
    duration_ms: z.int().nullable().describe('Duration in milliseconds, until now if the deployment is running.'),
  })
  .meta({ id: 'Deployment' });
export type Deployment = z.infer<typeof Deployment>;

export const DeployPlan = z
  .object({
    steps: z
      .array(z.object({ name: z.string(), describe: z.string() }))
      .describe('Steps that the deployment would run, in order, each with a description.'),
    changes: z.array(z.string()).describe('Differences from the live release, in sentences.'),
  })
  .meta({ id: 'DeployPlan' });
export type DeployPlan = z.infer<typeof DeployPlan>;

export const AppPlan = z
  .object({ app: z.string().describe('Address of the app: `project/environment/app`.'), plan: DeployPlan })
  .meta({ id: 'AppPlan', description: 'Preview of a change for one of the apps that it affects.' });
export type AppPlan = z.infer<typeof AppPlan>;

export const PromoteInput = z
  .strictObject({
    from: Slug.describe('Environment of the same project whose live images are deployed.'),
    apps: z
      .array(Slug)
      .min(1)
      .max(1_000)
      .optional()
      .describe(
        'Names of the apps to promote. Default: all apps that exist in both environments and are live in the source environment.',
      ),
  })
  .meta({ id: 'Promote', description: 'Apps that get the images that are live in another environment.' });
export type PromoteInput = z.infer<typeof PromoteInput>;

const promoted = {
  app: z.string().describe('Address of the app that gets the image: `project/environment/app`.'),
  skipped: z.string().nullable().describe('Reason why nothing is to be done, in one sentence. `null` otherwise.'),
  error: z.string().nullable().describe('Reason why the app cannot be promoted, in one sentence. `null` otherwise.'),
};

export const Promotion = z
  .object({
    ...promoted,
    deployment: Deployment.nullable().describe('Deployment that was started. `null` if none was started.'),
  })
  .meta({ id: 'Promotion' });
export type Promotion = z.infer<typeof Promotion>;

export const PromotionPlan = z
  .object({
    ...promoted,
    plan: DeployPlan.nullable().describe('Preview of the deployment. `null` if there would be none.'),
  })
  .meta({ id: 'PromotionPlan' });
export type PromotionPlan = z.infer<typeof PromotionPlan>;
