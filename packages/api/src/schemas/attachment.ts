import { z } from 'zod';

const PREFIX = /^(?:[A-Z][A-Z0-9_]*_)?$/;

/** Prefix for the environment variables that an app gets from an attached database or bucket. */
export const AttachmentPrefix = z
  .string()
  .max(100, 'must be at most 100 characters')
  .regex(PREFIX, 'must be empty, or upper-case letters, digits and “_” with a “_” at the end, such as “CACHE_”')
  .refine(
    (prefix) => !prefix.startsWith('DAVIT_'),
    'must not start with “DAVIT_”, which is reserved for variables that Davit sets',
  )
  .describe(
    'Prefix for the names of the environment variables that the app gets, for example `CACHE_`. Default: no prefix.',
  );

const prefix = z
  .string()
  .describe('Prefix for the names of the environment variables that the app gets. Empty for no prefix.');
const variables = z
  .array(z.string())
  .describe('Names of the variables that the app gets. Variables of the app with the same names take precedence.');

export const AttachmentCreate = z
  .strictObject({ prefix: AttachmentPrefix.default('') })
  .meta({ id: 'AttachmentCreate', description: 'Attachment of a database or a bucket to an app.' });
export type AttachmentCreate = z.infer<typeof AttachmentCreate>;

/** Attached database or bucket in the API response for an app. */
export const AppAttachment = z
  .object({
    kind: z.enum(['database', 'bucket']),
    name: z.string().describe('Address of the database, `project/environment/name`, or name of the object store.'),
    bucket: z.string().nullable().describe('Name of the bucket. `null` for a database.'),
    prefix,
    variables,
  })
  .meta({
    id: 'AppAttachment',
    description:
      'Database or bucket that is attached to an app. The app gets the connection details as environment variables.',
  });
export type AppAttachment = z.infer<typeof AppAttachment>;

export const DatabaseExtensions = z
  .strictObject({
    extensions: z
      .array(z.string().max(64))
      .min(1)
      .max(64)
      .describe(
        'Extensions to add. Davit also adds the extensions that these extensions require. Davit never removes an extension.',
      ),
  })
  .meta({ id: 'DatabaseExtensions' });
export type DatabaseExtensions = z.infer<typeof DatabaseExtensions>;
