import type { BackupDestination } from '@davit/api';
import { CliError } from '../../errors/exit.ts';

export const TO = {
  value: 'destination',
  description: 'destination of the backup: "disk", or a bucket as object-store/bucket, with an optional /folder',
} as const;

/**
 * Parses a backup destination: `disk` or `object-store/bucket/folder`.
 * @throws CliError with exit `usage` if the text has another format
 */
export function destinationOf(text: string | undefined): BackupDestination | undefined {
  if (text === undefined) return undefined;
  if (text === 'disk') return { kind: 'disk' };
  const [objectStore = '', bucket = '', ...folders] = text.split('/');
  if (objectStore === '' || bucket === '')
    throw new CliError('usage', `"${text}" is not a backup destination: write disk or object-store/bucket.`);
  const prefix = folders.filter((folder) => folder !== '').map((folder) => `${folder}/`);
  return { kind: 'object_store', object_store: objectStore, bucket, prefix: prefix.join('') };
}
