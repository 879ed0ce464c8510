/** Schemas of the installation, update and removal of a template. */
import { z } from 'zod';
import { Slug } from './common.ts';

/** Maximum size of a template file in bytes. */
export const TEMPLATE_FILE_BYTES = 256 * 1024;

/** Key of a part of a template. */
const Key = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]*$/, 'must be a key of the template: letters, digits, “_” and “-”');

const Answers = z
  .record(Key, z.string().max(131_072, 'must be at most 128 KiB'))
  .describe('Values of the inputs by their keys. Numbers are sent as text. An absent input gets its default.');

const Names = z
  .strictObject({
    databases: z.record(Key, Slug).default({}),
    object_stores: z.record(Key, Slug).default({}),
    apps: z.record(Key, Slug).default({}),
  })
  .describe('Names of resources by their keys, if they differ from the names in the template.');

const Release = z
  .string()
  .min(1)
  .max(255)
  .describe('Tag of the template release. Default: the release in the catalog.');

const Sum = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of a manifest, in hexadecimal')
  .optional()
  .describe('SHA-256 hash of the manifest from the preview. The request is refused if the manifest has changed since.');

const AdoptVolumes = z
  .boolean()
  .default(false)
  .describe('Whether to use the kept volumes of earlier apps with the same addresses, at the same paths.');

const how = {
  sha256: Sum,
  project: Slug.optional().describe(
    'Name of the project. It is created if it does not exist. Default: the name in the template.',
  ),
  environment: Slug.optional().describe(
    'Name of the environment. It is created if it does not exist. Default: the name in the template.',
  ),
  names: Names.prefault({}),
  inputs: Answers.default({}),
  keep_failed: z
    .boolean()
    .default(false)
    .describe(
      'Whether to keep the created resources if the installation fails, to inspect them and retry. Otherwise they are removed.',
    ),
  adopt: z
    .strictObject({
      databases: z
        .record(Key, z.string().max(200))
        .default({})
        .describe(
          'Existing databases to use instead of new ones: the key in the template and the address of the database, `project/environment/name`.',
        ),
      volumes: AdoptVolumes,
    })
    .prefault({})
    .describe('Data of an earlier installation to use.'),
};

export const TemplateInstallCreate = z
  .strictObject({ release: Release.optional(), ...how })
  .meta({ id: 'TemplateInstallCreate' });
export type TemplateInstallCreate = z.infer<typeof TemplateInstallCreate>;

const TemplateFile = z.strictObject({
  file: z.string().min(1).max(TEMPLATE_FILE_BYTES).describe('Content of a `template.yaml`.'),
});
const TemplateRepository = z.strictObject({
  repository: z
    .string()
    .max(500)
    .regex(
      /^https?:\/\/[^\s@#?]+$/,
      'must be an http or https address without a user, such as “https://github.com/acme/app”',
    )
    .describe('Address of a public Git repository on GitHub, or of a `template.yaml`.'),
  ref: z
    .string()
    .max(255)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'must be a tag, a branch or a commit')
    // Git forbids such names, and in a URL they would lead out of the repository.
    .refine((ref) => !/\.\.|\/\.|\/\/|\/$/.test(ref), 'must be a tag, a branch or a commit')
    .default('HEAD')
    .describe('Tag, branch or commit. Default: `HEAD`.'),
});

export const TemplateSource = z.union([TemplateFile, TemplateRepository]).meta({ id: 'TemplateSource' });
export type TemplateSource = z.infer<typeof TemplateSource>;

export const TemplateFileInstall = z
  .strictObject({ source: TemplateSource, ...how })
  .meta({ id: 'TemplateFileInstall', description: 'Installation of a template that is not in a catalog.' });
export type TemplateFileInstall = z.infer<typeof TemplateFileInstall>;

export const TemplateUpdate = z
  .strictObject({
    release: Release.optional(),
    file: TemplateFile.shape.file
      .optional()
      .describe('Content of the new `template.yaml`, for an installation from a file.'),
    sha256: Sum,
    inputs: Answers.default({}),
    remove: z
      .boolean()
      .default(true)
      .describe(
        'Whether to remove apps that the new release no longer has. Databases, object stores and volumes are never removed.',
      ),
    keep_failed: z
      .boolean()
      .default(false)
      .describe('Whether to keep the changes if the update fails. Otherwise they are undone.'),
    adopt: z
      .strictObject({ volumes: AdoptVolumes })
      .prefault({})
      .describe(
        'Data of other installations and apps to use. An update always uses the kept volumes of this installation.',
      ),
  })
  .meta({ id: 'TemplateUpdate' });
export type TemplateUpdate = z.infer<typeof TemplateUpdate>;

export const TemplateRollback = z
  .strictObject({
    keep_failed: z
      .boolean()
      .default(false)
      .describe('Whether to keep the changes if the rollback fails. Otherwise they are undone.'),
  })
  .meta({ id: 'TemplateRollback' });
export type TemplateRollback = z.infer<typeof TemplateRollback>;

export const TemplateUninstall = z
  .strictObject({
    keep_data: z
      .boolean()
      .default(true)
      .describe(
        'Whether to keep databases and volumes for a later installation. Otherwise they are moved to the trash.',
      ),
    confirm: z
      .string()
      .max(200)
      .optional()
      .describe('Confirmation, required with `keep_data: false`: the `project/environment` of the installation.'),
  })
  .meta({ id: 'TemplateUninstall' });
export type TemplateUninstall = z.infer<typeof TemplateUninstall>;
