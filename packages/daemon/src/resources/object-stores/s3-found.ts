/** Converts the objects and folders in an S3 list response to the types of `client.ts`. */
import type { _Object, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import type { FoundObject } from './client.ts';

export function itemsOf({
  Contents = [],
  CommonPrefixes = [],
  EncodingType,
}: ListObjectsV2CommandOutput): FoundObject[] {
  // Some S3 servers do not URL-encode object keys. Decode the keys only if the response declares the encoding.
  const plain = EncodingType === 'url' ? decoded : (key: string) => key;
  const folders = CommonPrefixes.flatMap(({ Prefix }) => (Prefix === undefined ? [] : [folderOf(plain(Prefix))]));
  const objects = Contents.flatMap((found) => (found.Key === undefined ? [] : [objectOf(plain(found.Key), found)]));
  return [...folders, ...objects].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
}

function objectOf(key: string, { Size, LastModified, ETag }: _Object): FoundObject {
  return {
    kind: 'object',
    key,
    bytes: Size ?? null,
    modifiedAt: timeOf(LastModified),
    etag: ETag?.replaceAll('"', '') ?? null,
  };
}

function folderOf(key: string): FoundObject {
  return { kind: 'folder', key, bytes: null, modifiedAt: null, etag: null };
}

/**
 * Decodes a URL-encoded object key. Davit requests URL-encoded keys in lists, because XML cannot contain some
 * characters.
 */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    // Some S3 servers declare URL encoding but send plain keys. If the decoding fails, return the key unchanged.
    return key;
  }
}

export function timeOf(date: Date | undefined): number | null {
  return date === undefined || Number.isNaN(date.getTime()) ? null : date.getTime();
}
