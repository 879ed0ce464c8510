import type { BackupDestination } from '@davit/api';
import { CliError } from '../../errors/exit.ts';

/** Option for the destination of backups. */
export const TO = {
  value: 'place',
  description: '«disk», or a bucket as store/bucket, with folders behind it where there are any',
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
    throw new CliError('usage', `«${text}» is no place for backups: write disk, or store/bucket.`);
  const prefix = folders.filter((folder) => folder !== '').map((folder) => `${folder}/`);
  return { kind: 'store', store, bucket, prefix: prefix.join('') };
}
