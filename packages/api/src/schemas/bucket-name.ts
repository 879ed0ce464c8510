import { z } from 'zod';

/** Form of any bucket name. Older buckets can have names that are not allowed for new ones. */
const ANY = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;

/** Returns whether a bucket with this name can exist. */
export function isBucketName(name: string): boolean {
  return ANY.test(name) && !name.includes('..');
}

/** Name of an existing bucket. */
export const BucketName = z
  .string()
  .min(3)
  .max(255)
  .refine(isBucketName, 'must be a bucket’s name: 3 to 255 letters, digits, inner “.”, “_” and “-”')
  .describe('The bucket’s name.');

/**
 * Name of a new bucket, as stores accept it today. A test of the daemon compares the advice on templates with this
 * rule.
 */
export const NewBucketName = z
  .string()
  .min(3)
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])$/, 'must be lower-case letters, digits and inner “-” and “.”')
  .refine((name) => !name.includes('..'), 'must not have two dots side by side')
  .refine((name) => !/^\d+\.\d+\.\d+\.\d+$/.test(name), 'must not look like an address')
  .describe('3 to 63 lower-case letters, digits, inner hyphens and dots.');
