/** Templates that were installed, and what installing, updating and removing one takes. */
import { z } from 'zod';
import { Slug, Timestamp, Via } from './common.ts';
import { fitting, Manifest } from './template.ts';

/** The largest file that is taken as a template. */
export const TEMPLATE_FILE_BYTES = 256 * 1024;

/** A key of a template’s file, which names one of its parts. */
const Key = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]*$/, 'must be a key of the template: letters, digits, «_» and «-»');

const Answers = z
  .record(Key, z.string().max(131_072, 'must be at most 128 KiB'))
  .describe('Answers by the key of the input. A number is sent as text. Absent takes the default; empty means empty.');

const Names = z
  .strictObject({
    databases: z.record(Key, Slug).default({}),
    stores: z.record(Key, Slug).default({}),
    apps: z.record(Key, Slug).default({}),
  })
  .describe('Other names than the template suggests, by key.');

const Release = z.string().min(1).max(255).describe('A release’s tag. Absent: the one that the catalog lists.');

const how = {
  project: Slug.optional().describe('Made when there is none of that name. Absent: what the template suggests.'),
  environment: Slug.optional().describe('The same.'),
  names: Names.prefault({}),
  inputs: Answers.default({}),
  keep_failed: z
    .boolean()
    .default(false)
    .describe('Leave what was made when it fails, to look at and to retry, instead of removing it.'),
  adopt: z
    .strictObject({
      databases: z
        .record(Key, z.string().max(200))
        .default({})
        .describe('Databases to use instead of new, empty ones: the key to a reference, `project/environment/name`.'),
      volumes: z
        .boolean()
        .default(false)
        .describe('Use the kept volumes of apps that had the same reference, each at its path.'),
    })
    .prefault({})
    .describe('What an earlier installation left, with its data.'),
};

export const TemplateInstallCreate = z
  .strictObject({ release: Release.optional(), ...how })
  .meta({ id: 'TemplateInstallCreate' });
export type TemplateInstallCreate = z.infer<typeof TemplateInstallCreate>;

const TemplateFile = z.strictObject({
  file: z.string().min(1).max(TEMPLATE_FILE_BYTES).describe('The text of a `template.yaml`.'),
});
const TemplateRepository = z.strictObject({
  repository: z
    .string()
    .max(500)
    .regex(
      /^https?:\/\/[^\s@#?]+$/,
      'must be an http or https address without a user, such as «https://github.com/acme/app»',
    )
    .describe('Where its repository is: a public one on GitHub, or the address of a `template.yaml` itself.'),
  ref: z
    .string()
    .max(255)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'must be a tag, a branch or a commit')
    // As git has it; in an address it would lead out of the repository.
    .refine((ref) => !/\.\.|\/\.|\/\/|\/$/.test(ref), 'must be a tag, a branch or a commit')
    .default('HEAD')
    .describe('A tag, a branch or a commit.'),
});

export const TemplateSource = z.union([TemplateFile, TemplateRepository]).meta({ id: 'TemplateSource' });
export type TemplateSource = z.infer<typeof TemplateSource>;

export const TemplateFileInstall = z
  .strictObject({ source: TemplateSource, ...how })
  .meta({ id: 'TemplateFileInstall', description: 'An install of a template that no catalog lists.' });
export type TemplateFileInstall = z.infer<typeof TemplateFileInstall>;

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

export const TemplateUpdate = z
  .strictObject({
    release: Release.optional(),
    file: TemplateFile.shape.file
      .optional()
      .describe('Of what was installed from a file: the text of the `template.yaml` that takes its place.'),
    inputs: Answers.default({}),
    remove: z
      .boolean()
      .default(true)
      .describe('Remove what the release does not have any more. Databases, stores and volumes stay in any case.'),
    keep_failed: z.boolean().default(false).describe('Leave things as they are when it fails, instead of going back.'),
  })
  .meta({ id: 'TemplateUpdate' });
export type TemplateUpdate = z.infer<typeof TemplateUpdate>;

export const UpdatePreview = z
  .object({
    from: z.string().nullable(),
    to: z.string().nullable(),
    ...fitting,
    manifest: Manifest,
    changes: z.array(PlannedResource),
    inputs: z.array(z.string()).describe('Inputs that have to be answered: new ones, and secrets that were not kept.'),
    problems: z.array(InstallProblem),
  })
  .meta({ id: 'TemplateUpdatePreview', description: 'What an update would change.' });
export type UpdatePreview = z.infer<typeof UpdatePreview>;

export const TemplateRollback = z
  .strictObject({ keep_failed: z.boolean().default(false).describe('As for an update.') })
  .meta({ id: 'TemplateRollback' });
export type TemplateRollback = z.infer<typeof TemplateRollback>;

export const TemplateUninstall = z
  .strictObject({
    keep_data: z
      .boolean()
      .default(true)
      .describe('Keep databases and volumes, for a later install to adopt. Without, they go to the trash.'),
    confirm: z
      .string()
      .max(200)
      .optional()
      .describe('With `keep_data: false`: the installation’s `project/environment`.'),
  })
  .meta({ id: 'TemplateUninstall' });
export type TemplateUninstall = z.infer<typeof TemplateUninstall>;

export const InstallSecrets = z
  .object({ secrets: z.record(z.string(), z.string()).describe('By the key of the input.') })
  .meta({ id: 'TemplateSecrets' });
export type InstallSecrets = z.infer<typeof InstallSecrets>;
