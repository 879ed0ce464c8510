/** Schemas of requests that install, update or uninstall a template. */
import { z } from 'zod';
import { Slug } from './common.ts';

export const TEMPLATE_FILE_BYTES = 256 * 1024;

/** Key of an app, database, object store or input in a template file. */
const Key = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z][a-zA-Z0-9_-]*$/, 'must be a key of the template: letters, digits, “_” and “-”');

const Answers = z
  .record(Key, z.string().max(131_072, 'must be at most 128 KiB'))
  .describe(
    'Values of the inputs of the template, as a map of input key to value. Send numbers as text. An absent input gets its default.',
  );

const Names = z
  .strictObject({
    databases: z.record(Key, Slug).default({}),
    object_stores: z.record(Key, Slug).default({}),
    apps: z.record(Key, Slug).default({}),
  })
  .describe(
    'Names for the new resources, instead of the names in the template. Each field is a map. Each key is the key of a resource in the template. Each value is the new name.',
  );

const Release = z
  .string()
  .min(1)
  .max(255)
  .describe('Tag of the template release. Default: the newest release in the catalog that has no errors.');

const Sum = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of a manifest, in hexadecimal')
  .optional()
  .describe(
    'SHA-256 hash of the manifest: the value of `sha256` from the preview. If the manifest has changed since then, Davit refuses the request.',
  );

const AdoptVolumes = z
  .boolean()
  .default(false)
  .describe(
    'Whether apps may use existing volumes of deleted apps instead of new volumes. Davit uses such a volume if the address of the app and the path of the volume are the same.',
  );

const how = {
  sha256: Sum,
  project: Slug.optional().describe(
    'Name of the project. If the project does not exist, Davit creates it. Default: the name in the template.',
  ),
  environment: Slug.optional().describe(
    'Name of the environment. If the environment does not exist, Davit creates it. Default: the name in the template.',
  ),
  names: Names.prefault({}),
  inputs: Answers.default({}),
  keep_failed: z
    .boolean()
    .default(false)
    .describe(
      'Whether to keep the created resources if the installation fails, so that you can inspect them and retry. `false`: Davit removes the created resources.',
    ),
  adopt: z
    .strictObject({
      databases: z
        .record(Key, z.string().max(200))
        .default({})
        .describe(
          'Existing databases to use instead of new databases, as a map. Each key is the key of a database in the template. Each value is the address of an existing database, `project/environment/name`.',
        ),
      volumes: AdoptVolumes,
    })
    .prefault({})
    .describe('Existing databases and volumes that the installation uses instead of new databases and volumes.'),
};

export const TemplateInstallCreate = z
  .strictObject({ release: Release.optional(), ...how })
  .meta({ id: 'TemplateInstallCreate' });
export type TemplateInstallCreate = z.infer<typeof TemplateInstallCreate>;

/** Random ID that a client stores next to a template file. The ID distinguishes files that have the same name. */
const FileId = z
  .string()
  .regex(/^[A-Za-z0-9-]{8,64}$/, 'must have 8 to 64 letters, digits and hyphens')
  .describe(
    'ID of the file, chosen by the client. Davit stores it with the installation. Clients such as `davit up` use it to find the installation of a file again.',
  );

const TemplateFile = z
  .strictObject({
    file: z.string().min(1).max(TEMPLATE_FILE_BYTES).describe('Content of a `template.yaml`.'),
    file_id: FileId.optional(),
  })
  .meta({ id: 'TemplateFileSource' });
const TemplateRepository = z
  .strictObject({
    repository: z
      .string()
      .max(500)
      .regex(
        /^https?:\/\/[^\s@#?]+$/,
        'must be an http or https address without a user, such as “https://github.com/acme/app”',
      )
      .describe('URL of a public Git repository on GitHub, or URL of a file `template.yaml`.'),
    ref: z
      .string()
      .max(255)
      .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*$/, 'must be a tag, a branch or a commit')
      /*
       * Git does not allow `..` or `//` in names of tags and branches. In a URL, such a name could lead outside the
       * repository.
       */
      .refine((ref) => !/\.\.|\/\.|\/\/|\/$/.test(ref), 'must be a tag, a branch or a commit')
      .default('HEAD')
      .describe('Tag, branch or commit of the Git repository. Default: `HEAD`.'),
  })
  .meta({ id: 'TemplateRepositorySource' });

export const TemplateSource = z.union([TemplateFile, TemplateRepository]).meta({ id: 'TemplateSource' });
export type TemplateSource = z.infer<typeof TemplateSource>;

export const TemplateFileInstall = z
  .strictObject({ source: TemplateSource, ...how })
  .meta({ id: 'TemplateFileInstall', description: 'Installation of a template that is not in a catalog.' });
export type TemplateFileInstall = z.infer<typeof TemplateFileInstall>;

/** Maximum number of apps in a request that confirms the removal of apps. No template can contain more apps. */
const MOST_REMOVED = 10_000;

export const TemplateUpdate = z
  .strictObject({
    release: Release.optional(),
    file: TemplateFile.shape.file
      .optional()
      .describe('Content of the new `template.yaml`, if the template was installed from a file.'),
    file_id: FileId.optional().describe(
      'New ID of the file, if you send `file`. Default: the ID of the installed file does not change.',
    ),
    sha256: Sum,
    inputs: Answers.default({}),
    remove: z
      .array(Slug)
      .max(MOST_REMOVED)
      .default([])
      .describe(
        'Confirmation: names of the apps that the update may remove, because the new template release no longer contains them. The preview lists these apps. If another app would be removed, Davit refuses the update and changes nothing. An update never removes databases, object stores or volumes.',
      ),
    keep_removed: z
      .boolean()
      .default(false)
      .describe(
        'Whether to keep the apps that the new template release no longer contains. `false`: Davit removes these apps if `remove` contains their names.',
      ),
    keep_failed: z
      .boolean()
      .default(false)
      .describe(
        'Whether to keep the changes of a failed update. `false`: if the update fails, Davit undoes its changes.',
      ),
    adopt: z
      .strictObject({ volumes: AdoptVolumes })
      .prefault({})
      .describe(
        'Permission for the update to use existing volumes instead of new volumes. For volumes that belong to this installation, no permission is necessary.',
      ),
  })
  .meta({ id: 'TemplateUpdate' });
export type TemplateUpdate = z.infer<typeof TemplateUpdate>;

export const TemplateRollback = z
  .strictObject({
    keep_failed: z
      .boolean()
      .default(false)
      .describe(
        'Whether to keep the changes of a failed rollback. `false`: if the rollback fails, Davit undoes its changes.',
      ),
  })
  .meta({ id: 'TemplateRollback' });
export type TemplateRollback = z.infer<typeof TemplateRollback>;

export const TemplateUninstall = z
  .strictObject({
    keep_data: z
      .boolean()
      .default(true)
      .describe(
        'Whether to keep databases and volumes for a later installation. `false`: Davit moves the databases and volumes to the trash.',
      ),
    confirm: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Confirmation: the project and the environment of the installation, in the form `project/environment`. Required if `keep_data` is `false`, because Davit then moves the data to the trash.',
      ),
  })
  .meta({ id: 'TemplateUninstall' });
export type TemplateUninstall = z.infer<typeof TemplateUninstall>;
