const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;

/** Returns whether all S3 object stores accept a text as the name of a new bucket. */
export function isNewBucketName(name: string): boolean {
  return NAME.test(name) && !name.includes('..') && !ADDRESS.test(name);
}
