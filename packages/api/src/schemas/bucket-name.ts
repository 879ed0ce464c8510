import { z } from 'zod';

/** What a bucket may be called at all: older ones have names that are given no more. */
const ANY = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;

/** Whether there can be a bucket of that name. */
export function isBucketName(name: string): boolean {
  return ANY.test(name) && !name.includes('..');
}

/** The name of one that there is. */
export const BucketName = z
  .string()
  .min(3)
  .max(255)
  .refine(isBucketName, 'must be a bucket’s name: 3 to 255 letters, digits, inner «.», «_» and «-»')
  .describe('The bucket’s name.');

/** The name of a new one, as stores take them today. A test of the daemon holds what is advised in templates to it. */
export const NewBucketName = z
  .string()
  .min(3)
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])$/, 'must be lower-case letters, digits and inner «-» and «.»')
  .refine((name) => !name.includes('..'), 'must not have two dots side by side')
  .refine((name) => !/^\d+\.\d+\.\d+\.\d+$/.test(name), 'must not look like an address')
  .describe('3 to 63 lower-case letters, digits, inner hyphens and dots.');
