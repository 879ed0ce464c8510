import { z } from 'zod';
import { DEPLOYMENT_PHASES, DEPLOYMENT_STATUSES } from '../states/deployment.ts';
import { Tag, Timestamp } from './common.ts';

export const TRIGGER_KINDS = ['api', 'push', 'rollback', 'promote', 'scale', 'restart', 'start', 'template'] as const;

export const DeployInput = z
  .strictObject({ tag: Tag.optional().describe('Absent: the app’s pin, else the tag that is live.') })
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
    name: z.string(),
    started_at: Timestamp,
    finished_at: Timestamp.nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'DeploymentStep' });

export const Trigger = z
  .object({
    kind: z.enum(TRIGGER_KINDS),
    by: z.string().describe('The account that asked.'),
    via: z.string().describe('api, dashboard, cli, mcp, local, push or schedule.'),
  })
  .meta({ id: 'Trigger' });
export type Trigger = z.infer<typeof Trigger>;

export const Deployment = z
  .object({
    id: z.int(),
    app: z.string(),
    tag: z.string().describe('As asked.'),
    image: z.string().describe('The whole image reference.'),
    digest: z.string().nullable().describe('The manifest digest, or the image id where the engine knows no other.'),
    status: z.enum(DEPLOYMENT_STATUSES),
    phase: z.enum(DEPLOYMENT_PHASES).nullable(),
    steps: z.array(DeploymentStep),
    revision: z.int(),
    trigger: Trigger,
    rollback_of: z.int().nullable().describe('The deployment whose release this one went back to.'),
    superseded_by: z.int().nullable(),
    error: z.string().nullable(),
    log: z.array(z.string()).optional().describe('The last 50 lines of what failed or ran once; single reads only.'),
    live: z.boolean(),
    has_logs: z.boolean(),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    finished_at: Timestamp.nullable(),
    duration_ms: z.int().nullable(),
  })
  .meta({ id: 'Deployment' });
export type Deployment = z.infer<typeof Deployment>;

export const DeployPlan = z
  .object({
    steps: z.array(z.object({ name: z.string(), describe: z.string() })),
    changes: z.array(z.string()).describe('What will be different from the live release, in sentences.'),
  })
  .meta({ id: 'DeployPlan' });
export type DeployPlan = z.infer<typeof DeployPlan>;
