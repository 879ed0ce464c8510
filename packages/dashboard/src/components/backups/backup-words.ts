import type { Backup, BackupCoverage, BackupDestination } from '@davit/api';

export const ORIGINS: Readonly<Record<Backup['origin'], string>> = {
  manual: 'manual',
  schedule: 'schedule',
  safety: 'before a restore',
};

export function destinationWords(destination: BackupDestination): string {
  if (destination.kind === 'disk') return 'this server';
  const { object_store, bucket, prefix } = destination;
  return `${object_store}: ${bucket}/${prefix}`;
}

/** Describes the result of the last verification of a backup. A verification restores the backup as a test. */
export function verifiedWords({ verified }: Pick<Backup, 'verified'>): {
  says: string;
  tone: 'good' | 'error' | 'soft';
} {
  if (verified === null) return { says: 'not verified', tone: 'soft' };
  return verified.ok ? { says: 'verified', tone: 'good' } : { says: 'verification failed', tone: 'error' };
}

/**
 * Returns an object with one entry for each action on a backup. The entry is the reason why the action is not possible
 * now, or `null` if it is possible.
 */
export function whyNotBackup({ status, kind }: Pick<Backup, 'status' | 'kind'>) {
  const unfinished = status === 'taking' ? 'The backup is not complete yet.' : null;
  const failed = status === 'failed' ? 'The backup failed and contains no data.' : null;
  const base =
    kind === 'base'
      ? 'This is a base backup for point-in-time recovery. Restore the database to a point in time instead.'
      : null;
  return {
    restore: unfinished ?? failed ?? base,
    verify: unfinished ?? failed ?? base,
    download: unfinished ?? failed ?? base,
    delete: unfinished,
  };
}

/** Sorts databases by name. Databases with a backup problem come first. */
export function problemsFirst(coverage: readonly BackupCoverage[]): BackupCoverage[] {
  const rank = ({ problem }: BackupCoverage) => (problem === null ? 1 : 0);
  return coverage.toSorted((a, b) => rank(a) - rank(b) || a.database.localeCompare(b.database));
}

/**
 * Returns a sentence that says how many databases have no backup problem, such as `Databases with recent backups: 2 of
 * 5.`
 */
export function coverageSentence(coverage: readonly BackupCoverage[]): string {
  const covered = coverage.filter(({ problem }) => problem === null).length;
  if (coverage.length === 0) return 'No databases yet.';
  if (covered === coverage.length)
    return coverage.length === 1 ? 'The database has a recent backup.' : 'All databases have recent backups.';
  return `Databases with recent backups: ${covered} of ${coverage.length}.`;
}

/**
 * Returns the last part of a database reference such as `shop/production/orders`. Users type this name to confirm an
 * action.
 */
export function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}
