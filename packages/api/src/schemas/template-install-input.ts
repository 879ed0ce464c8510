/** What installing, updating and removing a template takes. */
import { z } from 'zod';
import { Slug } from './common.ts';

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

const Sum = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of a manifest, in hexadecimal')
  .optional()
  .describe('The SHA-256 of the manifest that was planned. What has another one by now is refused.');

const how = {
  sha256: Sum,
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

export const TemplateUpdate = z
  .strictObject({
    release: Release.optional(),
    file: TemplateFile.shape.file
      .optional()
      .describe('Of what was installed from a file: the text of the `template.yaml` that takes its place.'),
    sha256: Sum,
    inputs: Answers.default({}),
    remove: z
      .boolean()
      .default(true)
      .describe('Remove what the release does not have any more. Databases, stores and volumes stay in any case.'),
    keep_failed: z.boolean().default(false).describe('Leave things as they are when it fails, instead of going back.'),
  })
  .meta({ id: 'TemplateUpdate' });
export type TemplateUpdate = z.infer<typeof TemplateUpdate>;

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
