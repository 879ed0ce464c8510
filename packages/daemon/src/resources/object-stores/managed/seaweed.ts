/** SeaweedFS configuration of a managed object store: command-line arguments, and a file with the access keys. */
import type { GroupFile } from '../../../adapters/engine/group.ts';
import type { StoreAccess } from '../../../app-spec/store-access.ts';
import { STORE_PORT } from '../connection.ts';

export const DEFAULT_VERSION = '4.48';
export const STORE_REGION = 'us-east-1';

export function storeImage(version: string): string {
  return `chrislusf/seaweedfs:${version}`;
}

export const KEYS_FILE = '/etc/davit/s3.json';

/** User id of the SeaweedFS process. The entry point of the image switches to this user. */
const OWNER = 1_000;

/**
 * Arguments for all SeaweedFS components in one process. The internal components have no access keys, so they listen
 * only on the container's loopback address.
 */
export const SERVE: readonly string[] = [
  'server',
  '-dir=/data',
  '-ip=127.0.0.1',
  '-ip.bind=127.0.0.1',
  '-master.telemetry=false',
  // Allow many SeaweedFS volumes, because each bucket needs at least one. By default, SeaweedFS allows only a few.
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
