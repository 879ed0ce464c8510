import { z } from 'zod';
import { DEPLOYMENT_PHASES, DEPLOYMENT_STATUSES } from '../states/deployment.ts';
import { WORK_PROBLEM_CODES } from '../work-problem.ts';
import { AppReference, Slug, Tag, Timestamp, Via } from './common.ts';

export const TRIGGER_KINDS = ['api', 'push', 'rollback', 'promote', 'scale', 'restart', 'start', 'template'] as const;

export const DeployInput = z
  .strictObject({
    tag: Tag.optional().describe('Absent: the app’s pin, else the tag that is live.'),
    from: AppReference.optional().describe(
      'Promotes: deploys exactly the image that is live in this other app, with the settings and variables of this one.',
    ),
  })
  .refine(({ tag, from }) => tag === undefined || from === undefined, {
    path: ['from'],
    error: 'must be sent without tag: it is the image that is live there',
  })
  .meta({ id: 'Deploy' });
export type DeployInput = z.infer<typeof DeployInput>;

export const RollbackInput = z
  .strictObject({
    deployment: z.int().positive().optional().describe('Absent: the release that was live before this one.'),
  })
  .meta({ id: 'Rollback' });
export type RollbackInput = z.infer<typeof RollbackInput>;

export const DeploymentStep = z
  .object({
    name: z.string().describe('As in the plan.'),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    error: z.string().nullable().describe('Why it did not succeed.'),
  })
  .meta({ id: 'DeploymentStep' });

export const Trigger = z
  .object({
    kind: z.enum(TRIGGER_KINDS).describe('What was asked for.'),
    by: z.string().describe('The account that asked.'),
    via: Via,
  })
  .meta({ id: 'Trigger' });
export type Trigger = z.infer<typeof Trigger>;

export const Deployment = z
  .object({
    id: z.int().describe('Unique in the instance, and never given again.'),
    app: z.string().describe('`project/environment/app`.'),
    tag: z.string().describe('As asked.'),
    image: z
      .string()
      .describe(
        'Whole image reference. For an image that was pushed for an app in a project that you do not see: its name by digest in the repository of this app.',
      ),
    digest: z.string().nullable().describe('The manifest digest, or the image id where the engine knows no other.'),
    status: z
      .enum(DEPLOYMENT_STATUSES)
      .describe('`pending`: waits for another one of its app. `succeeded`: every new request goes to it.'),
    phase: z.enum(DEPLOYMENT_PHASES).nullable().describe('Where a running one is; null when it does not run.'),
    steps: z.array(DeploymentStep).describe('Those that were begun, in order.'),
    revision: z.int().describe('The revision of settings and variables that it runs.'),
    trigger: Trigger,
    rollback_of: z.int().nullable().describe('The deployment whose release this one went back to.'),
    promoted_from: z
      .object({
        app: z.string().nullable().describe('`project/environment/app`; null when you do not see its project.'),
        deployment: z.int().describe('The deployment that was live there.'),
      })
      .nullable()
      .describe('Whose image this one took over; null when it did not.'),
    superseded_by: z.int().nullable().describe('The newer deployment for which this one was cancelled.'),
    error: z.string().nullable().describe('Why it failed or was cancelled, in a sentence.'),
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
    log: z.array(z.string()).optional().describe('The last 50 lines of what failed or ran once; single reads only.'),
    live: z.boolean().describe('New requests go to its release; in a stopped app: it is what a start brings back.'),
    has_logs: z.boolean().describe('A read of this deployment alone has a `log`.'),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
    duration_ms: z.int().nullable().describe('From its start to its end, or to now.'),
  })
  .meta({ id: 'Deployment' });
export type Deployment = z.infer<typeof Deployment>;

export const DeployPlan = z
  .object({
    steps: z
      .array(z.object({ name: z.string(), describe: z.string() }))
      .describe('What would be done, in order, each in words.'),
    changes: z.array(z.string()).describe('What will be different from the live release, in sentences.'),
  })
  .meta({ id: 'DeployPlan' });
export type DeployPlan = z.infer<typeof DeployPlan>;

export const AppPlan = z
  .object({ app: z.string().describe('`project/environment/app`.'), plan: DeployPlan })
  .meta({ id: 'AppPlan', description: 'What a change would do in one of the apps that it concerns.' });
export type AppPlan = z.infer<typeof AppPlan>;

export const PromoteInput = z
  .strictObject({
    from: Slug.describe('The environment of the same project whose live images are taken.'),
    apps: z
      .array(Slug)
      .min(1)
      .max(1_000)
      .optional()
      .describe('Absent: all that exist in both environments and are live there.'),
  })
  .meta({ id: 'Promote', description: 'Which apps get the images that are live in another environment.' });
export type PromoteInput = z.infer<typeof PromoteInput>;

const promoted = {
  app: z.string().describe('`project/environment/app`, of the app that gets the image.'),
  skipped: z.string().nullable().describe('Why there is nothing to do, in a sentence; null otherwise.'),
  error: z.string().nullable().describe('Why it cannot be done, in a sentence; null otherwise.'),
};

export const Promotion = z
  .object({ ...promoted, deployment: Deployment.nullable().describe('What was asked for; null when nothing was.') })
  .meta({ id: 'Promotion' });
export type Promotion = z.infer<typeof Promotion>;

export const PromotionPlan = z
  .object({ ...promoted, plan: DeployPlan.nullable().describe('What would be done; null when nothing would.') })
  .meta({ id: 'PromotionPlan' });
export type PromotionPlan = z.infer<typeof PromotionPlan>;
