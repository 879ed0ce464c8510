import { z } from 'zod';
import { App, AppSettings } from './app.ts';
import { Timestamp } from './common.ts';
import { Deployment } from './deployment.ts';
import { EffectiveVariable } from './variables.ts';

/** `running`: only what acts on the running release at once has changed. */
export const REVISION_REASONS = ['created', 'settings', 'variables', 'running', 'restored'] as const;
export type RevisionReason = (typeof REVISION_REASONS)[number];

export const RevisionSummary = z
  .object({
    number: z.int().describe('Counts the changes of the app’s settings and variables.'),
    reason: z
      .enum(REVISION_REASONS)
      .describe('What changed. `running`: scale or limits alone. `restored`: an earlier one was brought back.'),
    changed_by: z.string().describe('The account that changed it.'),
    created_at: Timestamp,
    live: z.boolean().describe('The live release runs it.'),
  })
  .meta({ id: 'RevisionSummary' });
export type RevisionSummary = z.infer<typeof RevisionSummary>;

export const Revision = z
  .object({
    ...RevisionSummary.shape,
    settings: AppSettings,
    variables: z.array(EffectiveVariable).describe('What the app got then, wherever it came from.'),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;

export const RevisionComparison = z
  .object({
    from: z.int().describe('The revision that is compared.'),
    to: z.int().describe('The one that it is compared with.'),
    settings: z
      .array(
        z.object({
          path: z.string().describe('Such as `health.path`.'),
          from: z.unknown().optional().describe('Absent: it was not set.'),
          to: z.unknown().optional().describe('Absent: it is not set.'),
        }),
      )
      .describe('The settings that differ.'),
    variables: z
      .array(
        z.object({
          key: z.string(),
          change: z.enum(['added', 'removed', 'changed']),
          from: z.string().nullable().describe('Null: it was not there, or is hidden from you.'),
          to: z.string().nullable().describe('Null: it is not there, or is hidden from you.'),
          secret: z.boolean().describe('In either of the two, or now.'),
        }),
      )
      .describe('The variables that differ, by name.'),
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
          source: z.enum(['project', 'environment', 'attachment']).describe('Where it comes from.'),
        }),
      )
      .describe(
        'Variables that are not as they were then and that only their own level can change: those of a wider level that were not there, and those of attachments that have come or gone.',
      ),
    deployment: Deployment.nullable().describe('With `deploy=true`: the one that was asked for.'),
  })
  .meta({ id: 'RestoredRevision' });
export type RestoredRevision = z.infer<typeof RestoredRevision>;
