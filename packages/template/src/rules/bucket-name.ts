const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const ADDRESS = /^\d+\.\d+\.\d+\.\d+$/;

/** Returns whether all object stores would accept a name for a new bucket. */
export function isNewBucketName(name: string): boolean {
  return NAME.test(name) && !name.includes('..') && !ADDRESS.test(name);
}
