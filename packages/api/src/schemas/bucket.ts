import { z } from 'zod';
import { NewBucketName } from './bucket-name.ts';
import { Timestamp } from './common.ts';

export const Bucket = z
  .object({
    name: z.string(),
    created_at: Timestamp.nullable().describe('Time of creation. `null` if the object store does not report it.'),
  })
  .meta({ id: 'Bucket' });
export type Bucket = z.infer<typeof Bucket>;

export const BucketCreate = z.strictObject({ name: NewBucketName }).meta({ id: 'BucketCreate' });
export type BucketCreate = z.infer<typeof BucketCreate>;

/**
 * Maximum length of a key in bytes, which all stores accept. "." and ".." are refused, because a proxy could change
 * such a key.
 */
const MOST_BYTES = 1_024;
export const ObjectKey = z
  .string()
  .min(1)
  .max(MOST_BYTES)
  .refine((key) => key.isWellFormed() && new TextEncoder().encode(key).length <= MOST_BYTES, {
    error: `must be at most ${MOST_BYTES} bytes of text`,
  })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters')
  .refine((key) => !key.startsWith('/'), 'must not start with “/”')
  .refine((key) => !key.split('/').some((part) => part === '.' || part === '..'), 'must not have “.” or “..” in it')
  .describe('Key of the object, for example `pictures/2030/ship.jpg`.');

export const ObjectPrefix = ObjectKey.describe('Prefix of the keys.');
export const FolderPrefix = ObjectKey.regex(/\/$/, 'must end with “/”').describe(
  'Folder: a prefix that ends with `/`.',
);

export const ObjectEntry = z
  .object({
    kind: z
      .enum(['object', 'folder'])
      .describe('Kind of entry. `folder`: common prefix of several keys, up to the delimiter.'),
    key: z.string().describe('Complete key in the bucket.'),
    size_bytes: z.int().nullable().describe('Size in bytes. `null` for a folder.'),
    modified_at: Timestamp.nullable(),
    etag: z.string().nullable(),
  })
  .meta({ id: 'ObjectEntry' });
export type ObjectEntry = z.infer<typeof ObjectEntry>;

export const PRESIGN_MOST_S = 7 * 24 * 3_600;

export const ObjectPresign = z
  .strictObject({
    key: ObjectKey,
    method: z.enum(['GET', 'PUT']).describe('Method that the URL allows. `GET`: download. `PUT`: upload.'),
    expires_s: z.int().min(1).max(PRESIGN_MOST_S).default(900).describe('Validity of the URL in seconds.'),
  })
  .meta({ id: 'ObjectPresign' });
export type ObjectPresign = z.infer<typeof ObjectPresign>;

export const PresignedObject = z
  .object({
    url: z
      .string()
      .describe('Presigned URL. It allows this method for this object without credentials until it expires.'),
    method: z.enum(['GET', 'PUT']),
    expires_at: Timestamp,
  })
  .meta({ id: 'PresignedObject' });
export type PresignedObject = z.infer<typeof PresignedObject>;

export const FolderRemoved = z
  .object({
    removed: z.int().describe('Number of deleted objects.'),
    more: z.boolean().describe('Whether the folder still has objects. Send the request again to delete more.'),
  })
  .meta({ id: 'FolderRemoved' });
export type FolderRemoved = z.infer<typeof FolderRemoved>;
