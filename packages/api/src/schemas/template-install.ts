/** Schemas of template installations, and of plans for installing or updating a template. */
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

/** Source of an installed template: the catalog, a Git repository or a file. */
export const InstallOrigin = z
  .object({
    kind: z.enum(INSTALL_SOURCES),
    owner: z
      .string()
      .nullable()
      .describe('Owner of the template in the catalog. `null` if the template is not from a catalog.'),
    name: z.string().nullable(),
    repository: z
      .string()
      .nullable()
      .describe('URL of the Git repository of the template. `null` if the URL is not known.'),
    repository_id: z.string().nullable().describe('ID of the Git repository in the catalog.'),
    release: z
      .string()
      .nullable()
      .describe('Tag of the template release, or the requested branch, tag or commit of the Git repository.'),
    commit: z.string().nullable(),
    file_id: z
      .string()
      .nullable()
      .describe('ID of the file, chosen by the client that installed the file. `null` if the client sent no ID.'),
    sha256: z.string().describe('SHA-256 hash of the manifest in hexadecimal.'),
  })
  .meta({ id: 'TemplateOrigin', description: 'Source of the template.' });
export type InstallOrigin = z.infer<typeof InstallOrigin>;

export const InstallResource = z
  .object({
    kind: z.enum(RESOURCE_KINDS),
    key: z.string().nullable().describe('Key of the resource in the template.'),
    name: z.string(),
    reference: z
      .string()
      .describe('Address of the resource for other API requests, for example `project/environment/app`.'),
    state: z
      .enum(['made', 'adopted', 'used', 'kept'])
      .describe(
        'State of the resource. `made`: the installation created the resource. `adopted`: the database existed before, and it now belongs to the installation. `used`: the resource existed before, and it does not belong to the installation. `kept`: the installation was removed, but the data of the resource was kept.',
      ),
  })
  .meta({ id: 'TemplateResource', description: 'Resource that an installation created or uses.' });
export type InstallResource = z.infer<typeof InstallResource>;

export const TemplateInstall = z
  .object({
    id: z.int().describe('ID of the installation. Davit never reuses the ID.'),
    title: z.string().describe('Title of the installed template.'),
    origin: InstallOrigin,
    previous_release: z
      .string()
      .nullable()
      .describe('Previous template release, to which a rollback returns. `null` if there is no previous release.'),
    update_available: z
      .string()
      .nullable()
      .describe(
        'Newer template release in the catalog. Davit checks the catalog every hour. `null` if there is no newer release.',
      ),
    project: z.string(),
    environment: z.string(),
    status: z
      .enum(INSTALL_STATUSES)
      .describe(
        'Status of the installation. `failed`: the installation failed. Only the resources in the list `resources` still exist.',
      ),
    resources: z.array(InstallResource),
    inputs: z.record(z.string(), z.string()).describe('Values of the inputs of the template, without secrets.'),
    secrets: z.array(z.string()).describe('Names of the inputs whose values are secret.'),
    error: z
      .string()
      .nullable()
      .describe('Reason why the last task of the installation failed. `null` if the task did not fail.'),
    task: z
      .int()
      .nullable()
      .describe('ID of the unfinished task of the installation. `null` if there is no unfinished task.'),
    last_task: z.int().nullable().describe('ID of the last task of the installation, finished or not.'),
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
    code: FieldCodeSchema.describe('Code of the problem with the field, for example `required`.'),
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
    detail: z
      .string()
      .nullable()
      .describe('Details of the planned action, for example the new image of an app. `null` if there are no details.'),
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
    resources: z
      .array(PlannedResource)
      .describe('Resources of the installation, in the order in which Davit creates them.'),
    generated: z
      .array(z.string())
      .describe(
        'Names of secret inputs for which the request has no value. Davit generates these values when you start the installation.',
      ),
    problems: z
      .array(InstallProblem)
      .describe('Problems that prevent the installation. Empty if the installation can start.'),
  })
  .meta({ id: 'TemplatePlan', description: 'Preview of an installation.' });
export type InstallPlan = z.infer<typeof InstallPlan>;

export const KeptVolume = z
  .object({
    app: z.string().describe('Address of the app that will use the volume.'),
    path: z.string(),
    name: z.string().describe('Name of the volume.'),
    requires_adopt: z
      .boolean()
      .describe(
        'Whether the update needs the permission `adopt.volumes: true` to use the volume. `false` if the volume belongs to this installation. The update then always uses it.',
      ),
  })
  .meta({
    id: 'TemplateKeptVolume',
    description:
      'Existing volume that no app uses. The update can use it instead of a new volume, because the app address and the path are the same.',
  });
export type KeptVolume = z.infer<typeof KeptVolume>;

export const UpdatePreview = z
  .object({
    from: z.string().nullable(),
    to: z.string().nullable(),
    sha256: z.string().describe('SHA-256 hash of the manifest in hexadecimal.'),
    ...fitting,
    manifest: Manifest,
    changes: z.array(PlannedResource),
    kept_volumes: z
      .array(KeptVolume)
      .describe('Detached volumes (not in use by any app) that the update can use instead of new volumes.'),
    inputs: z
      .array(z.string())
      .describe(
        'Names of the template inputs that the update request must contain: new required inputs, and inputs whose stored value is missing or no longer valid.',
      ),
    problems: z.array(InstallProblem),
  })
  .meta({ id: 'TemplateUpdatePreview', description: 'Preview of an update.' });
export type UpdatePreview = z.infer<typeof UpdatePreview>;

export const InstallSecrets = z
  .object({
    secrets: z.record(z.string(), z.string()).describe('Values of the secret inputs, as a map of input key to value.'),
  })
  .meta({ id: 'TemplateSecrets' });
export type InstallSecrets = z.infer<typeof InstallSecrets>;
