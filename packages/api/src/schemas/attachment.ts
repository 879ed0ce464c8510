import { z } from 'zod';

const PREFIX = /^(?:[A-Z][A-Z0-9_]*_)?$/;

/** Whether a text can begin the names of an attachment's variables. */
export const AttachmentPrefix = z
  .string()
  .max(100, 'must be at most 100 characters')
  .regex(PREFIX, 'must be empty, or upper-case letters, digits and «_» with one at the end, such as «CACHE_»')
  .refine((prefix) => !prefix.startsWith('DAVIT_'), 'must not start with «DAVIT_»: those are set by the platform')
  .describe('What its variables begin with, such as `CACHE_`; empty: nothing.');

const prefix = z.string().describe('What its variables begin with; empty: nothing.');
const variables = z.array(z.string()).describe('The variables that the app gets of it, unless it has its own.');

export const AttachmentCreate = z
  .strictObject({ prefix: AttachmentPrefix.default('') })
  .meta({ id: 'AttachmentCreate', description: 'How an app gets at what is attached to it.' });
export type AttachmentCreate = z.infer<typeof AttachmentCreate>;

/** An attachment as the app shows it. */
export const AppAttachment = z
  .object({
    kind: z.enum(['database', 'bucket']),
    name: z.string().describe('Of a database `project/environment/name`; of a bucket the store’s name.'),
    bucket: z.string().nullable().describe('Null: it is a database.'),
    prefix,
    variables,
  })
  .meta({ id: 'AppAttachment', description: 'A database or a bucket that an app gets at by variables.' });
export type AppAttachment = z.infer<typeof AppAttachment>;

export const DatabaseExtensions = z
  .strictObject({
    extensions: z
      .array(z.string().max(64))
      .min(1)
      .max(64)
      .describe('Those to add, as in `extensions` of a new database; with what they stand on. None is ever removed.'),
  })
  .meta({ id: 'DatabaseExtensions' });
export type DatabaseExtensions = z.infer<typeof DatabaseExtensions>;
