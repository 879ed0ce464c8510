import type { BackupDestination } from '@davit/api';
import { CliError } from '../../errors/exit.ts';

/** Option for the destination of backups. */
export const TO = {
  value: 'destination',
  description: 'destination of the backup: disk, or a bucket as store/bucket or store/bucket/folder',
} as const;

/**
 * Parses a destination.
 * @throws CliError usage
 */
export function destinationOf(text: string | undefined): BackupDestination | undefined {
  if (text === undefined) return undefined;
  if (text === 'disk') return { kind: 'disk' };
  const [store = '', bucket = '', ...folders] = text.split('/');
  if (store === '' || bucket === '')
    throw new CliError('usage', `"${text}" is not a backup destination: write disk or store/bucket.`);
  const prefix = folders.filter((folder) => folder !== '').map((folder) => `${folder}/`);
  return { kind: 'store', store, bucket, prefix: prefix.join('') };
}
