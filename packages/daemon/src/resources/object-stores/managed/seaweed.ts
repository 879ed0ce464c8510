/** How SeaweedFS serves one machine's objects: what it is told by arguments, and its keys by a file. */
import type { GroupFile } from '../../../adapters/engine/group.ts';
import type { StoreAccess } from '../../../app-spec/store-access.ts';
import { STORE_PORT } from '../place.ts';

export const DEFAULT_VERSION = '4.48';
export const STORE_REGION = 'us-east-1';

export function storeImage(version: string): string {
  return `chrislusf/seaweedfs:${version}`;
}

export const KEYS_FILE = '/etc/davit/s3.json';

/** The image's own user, which its entry point becomes. */
const OWNER = 1_000;

/**
 * All of it in one process. Its parts speak to each other on the container's loopback, since they ask nobody for keys; what
 * the network of the environment reaches is S3, with signatures.
 */
export const SERVE: readonly string[] = [
  'server',
  '-dir=/data',
  '-ip=127.0.0.1',
  '-ip.bind=127.0.0.1',
  '-master.telemetry=false',
  // A bucket has files of its own; unless told, the first few buckets would take all that there may be.
  '-master.volumeSizeLimitMB=1024',
  '-volume.max=0',
  '-filer',
  '-s3',
  `-s3.port=${STORE_PORT}`,
  '-s3.ip.bind=0.0.0.0',
  `-s3.config=${KEYS_FILE}`,
  '-s3.iam=false',
  '-s3.port.iceberg=0',
  '-s3.port.lance=0',
  '-s3.autoCreateBucket=false',
  '-s3.allowDeleteBucketNotEmpty=false',
];

export function keysFile({ accessKey, secretKey }: StoreAccess): Omit<GroupFile, 'path'> {
  const identity = {
    name: 'davit',
    credentials: [{ accessKey, secretKey }],
    actions: ['Admin', 'Read', 'Write', 'List', 'Tagging'],
  };
  const bytes = Buffer.from(JSON.stringify({ identities: [identity] }));
  return { bytes, mode: 0o400, uid: OWNER, gid: OWNER };
}
