/** Templates that were installed, and what installing and updating one comes to. */
import { z } from 'zod';
import { Timestamp, Via } from './common.ts';
import { FieldCodeSchema } from './problem.ts';
import { fitting, Manifest } from './template.ts';

export const INSTALL_SOURCES = ['catalog', 'repository', 'file'] as const;
export const INSTALL_STATUSES = [
  'installing',
  'installed',
  'updating',
  'failed',
  'uninstalling',
  'uninstalled',
] as const;
export type InstallStatus = (typeof INSTALL_STATUSES)[number];

export const RESOURCE_KINDS = ['project', 'environment', 'database', 'store', 'bucket', 'app'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Where a template came from, exactly. */
export const InstallOrigin = z
  .object({
    kind: z.enum(INSTALL_SOURCES),
    owner: z.string().nullable().describe('In the catalog; else null.'),
    name: z.string().nullable(),
    repository: z.string().nullable().describe('The address of its repository, where it is known.'),
    repository_id: z.string().nullable().describe('The catalog’s own number of the repository.'),
    release: z.string().nullable().describe('The tag, or what was asked for of a repository.'),
    commit: z.string().nullable(),
    sha256: z.string().describe('Of the manifest: hexadecimal.'),
  })
  .meta({ id: 'TemplateOrigin', description: 'Where the template came from.' });
export type InstallOrigin = z.infer<typeof InstallOrigin>;

export const InstallResource = z
  .object({
    kind: z.enum(RESOURCE_KINDS),
    key: z.string().nullable().describe('Its key in the template.'),
    name: z.string(),
    reference: z.string().describe('What it is called elsewhere in the API.'),
    state: z
      .enum(['made', 'adopted', 'used', 'kept'])
      .describe('`used`: it was there before, and stays. `kept`: its data is left after the rest was removed.'),
  })
  .meta({ id: 'TemplateResource', description: 'What an installation made or uses.' });
export type InstallResource = z.infer<typeof InstallResource>;

export const TemplateInstall = z
  .object({
    id: z.int().describe('Its number in paths; never given again.'),
    title: z.string().describe('For display.'),
    origin: InstallOrigin,
    previous_release: z.string().nullable().describe('What a rollback goes back to; null: there is nothing.'),
    update_available: z.string().nullable().describe('A newer release that the catalog lists; looked at every hour.'),
    project: z.string(),
    environment: z.string(),
    status: z
      .enum(INSTALL_STATUSES)
      .describe('`failed`: it did not come about; nothing of it is left unless `resources` says otherwise.'),
    resources: z.array(InstallResource),
    inputs: z.record(z.string(), z.string()).describe('What was answered, without secrets.'),
    secrets: z.array(z.string()).describe('The inputs whose answers are sealed.'),
    error: z.string().nullable().describe('Why the last run of it failed.'),
    task: z.int().nullable().describe('The task that is at work on it.'),
    last_task: z.int().nullable().describe('The last task of it, open or not.'),
    by: z.string().describe('The account that asked.'),
    via: Via,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'TemplateInstall' });
export type TemplateInstall = z.infer<typeof TemplateInstall>;

export const InstallProblem = z
  .object({
    field: z.string().describe('As in the request: `inputs.domain`, `names.apps.web`; empty: of the whole.'),
    code: FieldCodeSchema.describe('Code of the problem.'),
    message: z.string().describe('A sentence.'),
  })
  .meta({ id: 'TemplateProblem' });
export type InstallProblem = z.infer<typeof InstallProblem>;

export const PlannedResource = z
  .object({
    kind: z.enum(RESOURCE_KINDS),
    key: z.string().nullable(),
    name: z.string(),
    reference: z.string(),
    action: z.enum(['create', 'adopt', 'use', 'change', 'remove', 'keep']),
    detail: z.string().nullable().describe('What of it, in words.'),
  })
  .meta({ id: 'PlannedResource' });
export type PlannedResource = z.infer<typeof PlannedResource>;

export const InstallPlan = z
  .object({
    origin: InstallOrigin,
    manifest: Manifest,
    ...fitting,
    project: z.string(),
    environment: z.string(),
    resources: z.array(PlannedResource).describe('In the order in which they are made.'),
    generated: z.array(z.string()).describe('Inputs whose secret would be made up.'),
    problems: z.array(InstallProblem).describe('What an install would be refused for; empty: it can begin.'),
  })
  .meta({ id: 'TemplatePlan', description: 'What an install would do.' });
export type InstallPlan = z.infer<typeof InstallPlan>;

export const UpdatePreview = z
  .object({
    from: z.string().nullable(),
    to: z.string().nullable(),
    sha256: z.string().describe('Of the manifest: hexadecimal.'),
    ...fitting,
    manifest: Manifest,
    changes: z.array(PlannedResource),
    inputs: z.array(z.string()).describe('Inputs that have to be answered: new ones, and secrets that were not kept.'),
    problems: z.array(InstallProblem),
  })
  .meta({ id: 'TemplateUpdatePreview', description: 'What an update would change.' });
export type UpdatePreview = z.infer<typeof UpdatePreview>;

export const InstallSecrets = z
  .object({ secrets: z.record(z.string(), z.string()).describe('By the key of the input.') })
  .meta({ id: 'TemplateSecrets' });
export type InstallSecrets = z.infer<typeof InstallSecrets>;
