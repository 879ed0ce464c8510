import { z } from 'zod';
import { NewBucketName } from './bucket-name.ts';
import { Timestamp } from './common.ts';

export const Bucket = z
  .object({
    name: z.string(),
    created_at: Timestamp.nullable().describe(
      'Time when the bucket was created. `null` if the object store does not report the time.',
    ),
  })
  .meta({ id: 'Bucket' });
export type Bucket = z.infer<typeof Bucket>;

export const BucketCreate = z.strictObject({ name: NewBucketName }).meta({ id: 'BucketCreate' });
export type BucketCreate = z.infer<typeof BucketCreate>;

/** Maximum length of an S3 object key in bytes. All S3 providers allow this length. */
const MOST_BYTES = 1_024;
export const ObjectKey = z
  .string()
  .min(1)
  .max(MOST_BYTES)
  .refine((key) => key.isWellFormed() && new TextEncoder().encode(key).length <= MOST_BYTES, {
    error: `must be at most ${MOST_BYTES} bytes of text`,
  })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must refuse control characters
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters')
  .refine((key) => !key.startsWith('/'), 'must not start with “/”')
  .refine(
    (key) => !key.split('/').some((part) => part === '.' || part === '..'),
    'must not contain “.” or “..” as a path segment',
  )
  .describe('Key of the object, for example `pictures/2030/ship.jpg`.');

export const ObjectPrefix = ObjectKey.describe('Prefix of the keys of the objects to return.');
export const FolderPrefix = ObjectKey.regex(/\/$/, 'must end with “/”').describe(
  'Folder: a key prefix that ends with `/`.',
);

export const ObjectEntry = z
  .object({
    kind: z
      .enum(['object', 'folder'])
      .describe('Kind of entry. `object`: one object. `folder`: all objects whose keys begin with the value of `key`.'),
    key: z.string().describe('Complete key of the object or folder in the bucket.'),
    size_bytes: z.int().nullable().describe('Size of the object in bytes. `null` for a folder.'),
    modified_at: Timestamp.nullable(),
    etag: z.string().nullable(),
  })
  .meta({ id: 'ObjectEntry' });
export type ObjectEntry = z.infer<typeof ObjectEntry>;

export const PRESIGN_MOST_S = 7 * 24 * 3_600;

export const ObjectPresign = z
  .strictObject({
    key: ObjectKey,
    method: z
      .enum(['GET', 'PUT'])
      .describe('HTTP method of the presigned URL. `GET`: download the object. `PUT`: upload the object.'),
    expires_s: z
      .int()
      .min(1)
      .max(PRESIGN_MOST_S)
      .default(900)
      .describe('Time in seconds until the presigned URL expires.'),
  })
  .meta({ id: 'ObjectPresign' });
export type ObjectPresign = z.infer<typeof ObjectPresign>;

export const PresignedObject = z
  .object({
    url: z
      .string()
      .describe(
        'Presigned URL. Until the URL expires, clients can use it without credentials to download or upload the object.',
      ),
    method: z.enum(['GET', 'PUT']),
    expires_at: Timestamp,
  })
  .meta({ id: 'PresignedObject' });
export type PresignedObject = z.infer<typeof PresignedObject>;

export const FolderRemoved = z
  .object({
    removed: z.int().describe('Number of deleted objects.'),
    more: z.boolean().describe('Whether the folder still contains objects. To delete them, send the request again.'),
  })
  .meta({ id: 'FolderRemoved' });
export type FolderRemoved = z.infer<typeof FolderRemoved>;
