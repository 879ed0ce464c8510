import type { Scope } from '../meaning/scope.ts';
import { oneOf } from '../meaning/words.ts';
import { isNewBucketName } from '../rules/bucket-name.ts';
import { excerpt } from '../shape/words.ts';

/**
 * Warns about invalid bucket names. Also warns about attached buckets that are missing in the bucket list of the object
 * store.
 */
export function adviseData(scope: Scope): void {
  const { stores = [], apps } = scope.draft;
  for (const [index, { buckets = [] }] of stores.entries()) {
    for (const [position, bucket] of buckets.entries()) {
      adviseBucketName(scope, bucket, ['stores', index, 'buckets', position]);
    }
  }
  for (const [index, { attach = [] }] of apps.entries()) {
    for (const [position, { database, store, bucket }] of attach.entries()) {
      if (bucket === undefined || store === undefined || database !== undefined) continue;
      adviseAttached(scope, store, bucket, ['apps', index, 'attach', position, 'bucket']);
    }
  }
}

function adviseBucketName({ warning }: Scope, bucket: string, path: (string | number)[]): void {
  if (isNewBucketName(bucket)) return;
  const message = `No object store accepts the bucket name ${excerpt(bucket)}.`;
  warning('advice.bucket-name', path, message, 'Use 3 to 63 lower-case letters, digits, dashes and dots.');
}

function adviseAttached(scope: Scope, store: string, bucket: string, path: (string | number)[]): void {
  const declared = scope.stores.get(store)?.buckets ?? [];
  if (declared.length === 0) {
    // If the object store does not list its buckets, no other check detects an invalid bucket name.
    adviseBucketName(scope, bucket, path);
  } else if (!declared.includes(bucket)) {
    const message = `${excerpt(bucket)} is not a bucket of ${excerpt(store)}.`;
    scope.warning('advice.bucket', path, message, `Declare the bucket in \`buckets\`, or use ${oneOf(declared)}.`);
  }
}
