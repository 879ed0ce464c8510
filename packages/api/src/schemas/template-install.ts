/** Schemas of template installations, and of the plans for installing and updating a template. */
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
      .describe('Address of the Git repository of the template. `null` if the address is not known.'),
    repository_id: z.string().nullable().describe('ID of the Git repository in the catalog.'),
    release: z
      .string()
      .nullable()
      .describe('Tag of the template release, or the requested branch, tag or commit of the Git repository.'),
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
    reference: z
      .string()
      .describe('Address of the resource in other operations of the API, for example `project/environment/app`.'),
    state: z
      .enum(['made', 'adopted', 'used', 'kept'])
      .describe(
        'State of the resource. `made`: the installation created the resource. `adopted`: the installation took over an existing database. `used`: the resource existed before and does not belong to the installation. `kept`: the installation was removed, but the data of the resource was kept.',
      ),
  })
  .meta({ id: 'TemplateResource', description: 'Resource that an installation created or uses.' });
export type InstallResource = z.infer<typeof InstallResource>;

export const TemplateInstall = z
  .object({
    id: z.int().describe('ID of the installation. Davit never reuses the ID.'),
    title: z.string().describe('Title of the installation.'),
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
    error: z.string().nullable().describe('Reason why the last task of the installation failed. `null` otherwise.'),
    task: z.int().nullable().describe('ID of the open task of the installation. `null` if there is no open task.'),
    last_task: z.int().nullable().describe('ID of the last task of the installation, open or finished.'),
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
    detail: z.string().nullable().describe('Explanation of the action in one sentence.'),
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
      .describe('Names of secret inputs without a value. Davit would generate values for these inputs.'),
    problems: z.array(InstallProblem).describe('Problems that prevent the installation. Empty if it can start.'),
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
        'Whether you must send `adopt.volumes: true` to use the volume. `false`: the volume belongs to this installation, so the update always uses it.',
      ),
  })
  .meta({
    id: 'TemplateKeptVolume',
    description:
      'Detached volume, which no app uses, with the app address and path of a new volume. The update can use the detached volume instead of a new volume.',
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
      .describe('Detached volumes, which no app uses, that the update can use instead of new volumes.'),
    inputs: z
      .array(z.string())
      .describe('Names of the inputs that need a value: new inputs, and secrets that are not stored.'),
    problems: z.array(InstallProblem),
  })
  .meta({ id: 'TemplateUpdatePreview', description: 'Preview of an update.' });
export type UpdatePreview = z.infer<typeof UpdatePreview>;

export const InstallSecrets = z
  .object({
    secrets: z.record(z.string(), z.string()).describe('Values of the secret inputs. Each key is the key of an input.'),
  })
  .meta({ id: 'TemplateSecrets' });
export type InstallSecrets = z.infer<typeof InstallSecrets>;
