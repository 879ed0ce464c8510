import { z } from 'zod';
import { App, AppSettings } from './app.ts';
import { Timestamp } from './common.ts';
import { Deployment } from './deployment.ts';
import { EffectiveVariable } from './variables.ts';

/** `running`: only settings that directly affect the running release have changed. */
export const REVISION_REASONS = ['created', 'settings', 'variables', 'running', 'restored'] as const;
export type RevisionReason = (typeof REVISION_REASONS)[number];

export const RevisionSummary = z
  .object({
    number: z
      .int()
      .describe('Number of the revision. It increases with each change of settings or variables of the app.'),
    reason: z
      .enum(REVISION_REASONS)
      .describe(
        'Kind of change. `running`: only the scale or the limits. `restored`: an earlier revision was restored.',
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
    variables: z.array(EffectiveVariable).describe('All variables of the app at that time, from every level.'),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;

export const RevisionComparison = z
  .object({
    from: z.int().describe('Number of the first revision.'),
    to: z.int().describe('Number of the second revision.'),
    settings: z
      .array(
        z.object({
          path: z.string().describe('Path of the setting, for example `health.path`.'),
          from: z.unknown().optional().describe('Value in the first revision. Absent if it was not set.'),
          to: z.unknown().optional().describe('Value in the second revision. Absent if it is not set.'),
        }),
      )
      .describe('Settings that differ.'),
    variables: z
      .array(
        z.object({
          key: z.string(),
          change: z.enum(['added', 'removed', 'changed']),
          from: z
            .string()
            .nullable()
            .describe(
              'Value in the first revision. `null` if the variable did not exist or you may not see the value.',
            ),
          to: z
            .string()
            .nullable()
            .describe(
              'Value in the second revision. `null` if the variable does not exist or you may not see the value.',
            ),
          secret: z.boolean().describe('Whether the variable is or was secret.'),
        }),
      )
      .describe('Variables that differ, sorted by name.'),
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
        'Variables that the restore did not change: variables of a project or environment that did not exist at that time, and variables of attachments that were added or removed since.',
      ),
    deployment: Deployment.nullable().describe(
      'Deployment that was started because of `deploy=true`. `null` otherwise.',
    ),
  })
  .meta({ id: 'RestoredRevision' });
export type RestoredRevision = z.infer<typeof RestoredRevision>;
