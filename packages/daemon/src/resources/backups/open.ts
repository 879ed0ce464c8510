import type { BackupDestination as Kept } from '@davit/api';
import { DavitError } from '@davit/api';
import { sentence } from '../../app-spec/sentence.ts';
import type { BackupRow } from '../../db/tables/backup.ts';
import type { BackupsDeps } from './deps.ts';
import { DestinationMissing, DestinationRefused, DestinationUnavailable } from './destination.ts';
import { destinationOf } from './destinations.ts';
import { openEnvelope } from './envelope/envelope.ts';
import { EnvelopeBroken } from './envelope/header.ts';
import { PACKING, unpacked } from './packing.ts';

/**
 * Returns the decrypted dump of a backup as a stream. If the backup is incomplete, the stream throws an error.
 * @throws DavitError conflict, or unavailable if the destination does not respond
 */
export async function openBackup(
  core: BackupsDeps,
  row: Pick<BackupRow, 'id' | 'destination' | 'key'>,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  try {
    const destination = await destinationOf(core, JSON.parse(row.destination) as Kept);
    const { header, plain } = await openEnvelope(await destination.get(row.key, signal), core.sealer);
    if (header.about.backup === `${core.facts.id}/${row.key}`)
      return header.about.packing === PACKING ? unpacked(plain) : plain;
    // First read one chunk, because a generator that has not started does not run its cleanup code.
    await plain.next().catch(() => undefined);
    await plain.return(undefined);
    throw new EnvelopeBroken('the stored object contains a different backup');
  } catch (cause) {
    if (cause instanceof DestinationUnavailable)
      throw new DavitError('unavailable', `Backup ${row.id} cannot be read now. ${sentence(cause.message)}`, { cause });
    if (cause instanceof DestinationMissing || cause instanceof DestinationRefused || cause instanceof EnvelopeBroken)
      throw new DavitError('conflict', `Backup ${row.id} cannot be read: ${sentence(cause.message)}`, { cause });
    throw cause;
  }
}

/** Removes the stored object of a backup. If the object or the bucket does not exist, the function does nothing. */
export async function removeKept(
  core: BackupsDeps,
  { destination, key }: Pick<BackupRow, 'destination' | 'key'>,
  signal?: AbortSignal,
): Promise<void> {
  const from = await destinationOf(core, JSON.parse(destination) as Kept);
  core.store.trail.demandRights();
  await from.delete(key, signal);
}
