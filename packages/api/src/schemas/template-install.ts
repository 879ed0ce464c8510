/** Schemas of installations, and of the plans of installations and updates. */
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

export const RESOURCE_KINDS = ['project', 'environment', 'database', 'object_store', 'bucket', 'app'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Exact origin of a template. */
export const InstallOrigin = z
  .object({
    kind: z.enum(INSTALL_SOURCES),
    owner: z
      .string()
      .nullable()
      .describe('Owner of the template in the catalog. `null` if the template is not from a catalog.'),
    name: z.string().nullable(),
    repository: z.string().nullable().describe('Address of the Git repository. `null` if it is not known.'),
    repository_id: z.string().nullable().describe('Number of the Git repository in the catalog.'),
    release: z
      .string()
      .nullable()
      .describe('Tag of the template release, or the requested branch, tag or commit of a Git repository.'),
    commit: z.string().nullable(),
    sha256: z.string().describe('SHA-256 hash of the manifest in hexadecimal.'),
  })
  .meta({ id: 'TemplateOrigin', description: 'Source of the template.' });
export type InstallOrigin = z.infer<typeof InstallOrigin>;

export const InstallResource = z
  .object({
    kind: z.enum(RESOURCE_KINDS),
    key: z.string().nullable().describe('Key of the resource in the template.'),
    name: z.string(),
    reference: z.string().describe('Name of the resource in other parts of the API.'),
    state: z
      .enum(['made', 'adopted', 'used', 'kept'])
      .describe(
        'State of the resource. `made`: the installation created it. `adopted`: the installation took over an existing database. `used`: it existed before and stays. `kept`: its data was kept when the template was uninstalled.',
      ),
  })
  .meta({ id: 'TemplateResource', description: 'Resource that an installation created or uses.' });
export type InstallResource = z.infer<typeof InstallResource>;

export const TemplateInstall = z
  .object({
    id: z.int().describe('Number of the installation. It is never reused.'),
    title: z.string().describe('Title of the installation.'),
    origin: InstallOrigin,
    previous_release: z
      .string()
      .nullable()
      .describe('Template release that a rollback returns to. `null` if there is none.'),
    update_available: z
      .string()
      .nullable()
      .describe('Newer template release in the catalog. Davit checks every hour. `null` if there is none.'),
    project: z.string(),
    environment: z.string(),
    status: z
      .enum(INSTALL_STATUSES)
      .describe(
        'Status of the installation. `failed`: the installation failed, and only the resources in `resources` remain.',
      ),
    resources: z.array(InstallResource),
    inputs: z.record(z.string(), z.string()).describe('Values of the inputs, without secrets.'),
    secrets: z.array(z.string()).describe('Names of the inputs whose values are secret.'),
    error: z.string().nullable().describe('Reason why the last task of the installation failed. `null` otherwise.'),
    task: z.int().nullable().describe('Number of the open task of the installation. `null` if there is none.'),
    last_task: z.int().nullable().describe('Number of the last task of the installation, open or ended.'),
    by: z.string().describe('Name of the user who requested the installation.'),
    via: Via,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'TemplateInstall' });
export type TemplateInstall = z.infer<typeof TemplateInstall>;

export const InstallProblem = z
  .object({
    field: z
      .string()
      .describe(
        'Path of the field in the request, for example `inputs.domain` or `names.apps.web`. Empty if the problem concerns the whole request.',
      ),
    code: FieldCodeSchema.describe('Code of the problem.'),
    message: z.string().describe('Description of the problem in one sentence.'),
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
    detail: z.string().nullable().describe('Details of the action, in words.'),
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
    resources: z.array(PlannedResource).describe('Resources in the order in which they are created.'),
    generated: z.array(z.string()).describe('Names of the inputs whose secret values Davit would generate.'),
    problems: z.array(InstallProblem).describe('Problems that prevent the installation. Empty if it can start.'),
  })
  .meta({ id: 'TemplatePlan', description: 'Preview of an installation.' });
export type InstallPlan = z.infer<typeof InstallPlan>;

export const KeptVolume = z
  .object({
    app: z.string().describe('Address of the app.'),
    path: z.string(),
    name: z.string().describe('Name of the volume.'),
    requires_adopt: z
      .boolean()
      .describe(
        'Whether the update uses the volume only with `adopt.volumes: true`. `false`: an app of this installation had the volume, and the update uses it.',
      ),
  })
  .meta({ id: 'TemplateKeptVolume', description: 'Kept volume of an earlier app, at the path of a new volume.' });
export type KeptVolume = z.infer<typeof KeptVolume>;

export const UpdatePreview = z
  .object({
    from: z.string().nullable(),
    to: z.string().nullable(),
    sha256: z.string().describe('SHA-256 hash of the manifest in hexadecimal.'),
    ...fitting,
    manifest: Manifest,
    changes: z.array(PlannedResource),
    kept_volumes: z.array(KeptVolume).describe('Kept volumes of earlier apps that the update can use.'),
    inputs: z
      .array(z.string())
      .describe('Names of the inputs that need a value: new inputs, and secrets that are not stored.'),
    problems: z.array(InstallProblem),
  })
  .meta({ id: 'TemplateUpdatePreview', description: 'Preview of an update.' });
export type UpdatePreview = z.infer<typeof UpdatePreview>;

export const InstallSecrets = z
  .object({ secrets: z.record(z.string(), z.string()).describe('Secret values by the key of the input.') })
  .meta({ id: 'TemplateSecrets' });
export type InstallSecrets = z.infer<typeof InstallSecrets>;
