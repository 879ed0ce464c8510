import type { Backup, BackupCoverage, BackupDestination } from '@davit/api';

export const ORIGINS: Readonly<Record<Backup['origin'], string>> = {
  manual: 'by hand',
  schedule: 'by its schedule',
  safety: 'before a restore in place',
};

export function destinationWords(destination: BackupDestination): string {
  if (destination.kind === 'disk') return 'this machine';
  const { store, bucket, prefix } = destination;
  return `${store}: ${bucket}/${prefix}`;
}

/** Describes whether the backup was verified by restoring it, and the result. */
export function verifiedWords({ verified }: Pick<Backup, 'verified'>): {
  says: string;
  tone: 'good' | 'error' | 'soft';
} {
  if (verified === null) return { says: 'not tried', tone: 'soft' };
  return verified.ok ? { says: 'restored and whole', tone: 'good' } : { says: 'could not be restored', tone: 'error' };
}

/** Returns for each action why it is not possible in the backup's present state, or `null` if it is possible. */
export function whyNotBackup({ status, kind }: Pick<Backup, 'status' | 'kind'>) {
  const unfinished = status === 'taking' ? 'It is being written still.' : null;
  const failed = status === 'failed' ? 'Nothing of it is kept: it failed.' : null;
  const base =
    kind === 'base' ? 'It is what moments are counted from: restore the database to a moment instead.' : null;
  return {
    restore: unfinished ?? failed ?? base,
    verify: unfinished ?? failed ?? base,
    download: unfinished ?? failed ?? base,
    delete: unfinished,
  };
}

/** Returns the databases sorted by reference, with uncovered databases first. */
export function problemsFirst(coverage: readonly BackupCoverage[]): BackupCoverage[] {
  const rank = ({ problem }: BackupCoverage) => (problem === null ? 1 : 0);
  return coverage.toSorted((a, b) => rank(a) - rank(b) || a.database.localeCompare(b.database));
}

/** Returns a sentence such as `2 of 5 databases are covered.` */
export function coverageSentence(coverage: readonly BackupCoverage[]): string {
  const covered = coverage.filter(({ problem }) => problem === null).length;
  if (coverage.length === 0) return 'There is no database to back up yet.';
  if (covered === coverage.length)
    return coverage.length === 1 ? 'The database is covered.' : 'All databases are covered.';
  return `${covered} of ${coverage.length} databases ${covered === 1 ? 'is' : 'are'} covered.`;
}

/** Returns the last part of a reference, which the user types to confirm an action. */
export function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}
