import { z } from 'zod';

/** Matches the names of existing buckets. Old buckets may have names that S3 providers do not allow for new buckets. */
const ANY = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;

/** Returns whether a text can be the name of an existing bucket. Stricter rules apply to new buckets. */
export function isBucketName(name: string): boolean {
  return ANY.test(name) && !name.includes('..');
}

export const BucketName = z
  .string()
  .min(3)
  .max(255)
  .refine(
    isBucketName,
    'must be a bucket name of 3 to 255 letters, digits, “.”, “_” and “-”, with a letter or digit at the start and end',
  )
  .describe('Name of the bucket.');

/**
 * Schema for the name of a new bucket, according to the rules of current S3 providers. The template check has the same
 * rule. A test compares both rules.
 */
export const NewBucketName = z
  .string()
  .min(3)
  .max(63)
  .regex(
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])$/,
    'must contain only lower-case letters, digits, “-” and “.”, with a letter or digit at the start and end',
  )
  .refine((name) => !name.includes('..'), 'must not contain two consecutive dots')
  .refine((name) => !/^\d+\.\d+\.\d+\.\d+$/.test(name), 'must not look like an IP address')
  .describe(
    'Name of the bucket. The name has 3 to 63 lower-case letters, digits, hyphens and dots. Its first and last characters are letters or digits.',
  );
