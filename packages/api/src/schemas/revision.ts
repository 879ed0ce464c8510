import { z } from 'zod';
import { App, AppSettings } from './app.ts';
import { Timestamp } from './common.ts';
import { Deployment } from './deployment.ts';
import { EffectiveVariable } from './variables.ts';

/**
 * Reason for the creation of a revision. `running`: only the settings `scale` or `limits` changed. These settings take
 * effect without a deployment.
 */
export const REVISION_REASONS = ['created', 'settings', 'variables', 'running', 'restored'] as const;
export type RevisionReason = (typeof REVISION_REASONS)[number];

export const RevisionSummary = z
  .object({
    number: z
      .int()
      .describe('Number of the revision. The number increases with each change of settings or variables of the app.'),
    reason: z
      .enum(REVISION_REASONS)
      .describe(
        'Kind of change that created the revision. `running`: the change affected only `scale` or `limits`, which take effect without a deployment. `restored`: a user restored an earlier revision.',
      ),
    changed_by: z.string().describe('Name of the user who made the change.'),
    created_at: Timestamp,
    live: z.boolean().describe('Whether the live release uses this revision.'),
  })
  .meta({ id: 'RevisionSummary' });
export type RevisionSummary = z.infer<typeof RevisionSummary>;

export const Revision = z
  .object({
    ...RevisionSummary.shape,
    settings: AppSettings,
    variables: z
      .array(EffectiveVariable)
      .describe(
        'All variables that the app had in this revision, including variables of its environment, its project and its attachments.',
      ),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;

export const RevisionComparison = z
  .object({
    from: z.int().describe('Number of the first revision in the comparison.'),
    to: z.int().describe('Number of the second revision in the comparison.'),
    settings: z
      .array(
        z.object({
          path: z.string().describe('Path of the setting, for example `health.path`.'),
          from: z
            .unknown()
            .optional()
            .describe('Value in the first revision. Absent if the setting has no value in this revision.'),
          to: z
            .unknown()
            .optional()
            .describe('Value in the second revision. Absent if the setting has no value in this revision.'),
        }),
      )
      .describe('Settings that differ between the two revisions.'),
    variables: z
      .array(
        z.object({
          key: z.string(),
          change: z.enum(['added', 'removed', 'changed']),
          from: z
            .string()
            .nullable()
            .describe(
              'Value in the first revision. `null` if the variable does not exist in this revision, or if you may not see the value.',
            ),
          to: z
            .string()
            .nullable()
            .describe(
              'Value in the second revision. `null` if the variable does not exist in this revision, or if you may not see the value.',
            ),
          secret: z.boolean().describe('Whether the variable is secret in at least one of the two revisions.'),
        }),
      )
      .describe('Variables that differ between the two revisions, sorted by name.'),
  })
  .meta({ id: 'RevisionComparison' });
export type RevisionComparison = z.infer<typeof RevisionComparison>;

export const RestoredRevision = z
  .object({
    app: App,
    not_restored: z
      .array(
        z.object({
          key: z.string(),
          source: z.enum(['project', 'environment', 'attachment']).describe('Source of the variable.'),
        }),
      )
      .describe(
        'Variables whose values still differ from the restored revision. A restore changes only the variables of the app itself, not those of its project, its environment, or attached databases and buckets.',
      ),
    deployment: Deployment.nullable().describe(
      'Deployment that Davit started because of `deploy=true`. `null` if the request did not have `deploy=true`.',
    ),
  })
  .meta({ id: 'RestoredRevision' });
export type RestoredRevision = z.infer<typeof RestoredRevision>;
