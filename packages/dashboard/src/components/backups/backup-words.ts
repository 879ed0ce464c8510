/** Backups as people say them. */
import type { Backup, BackupCoverage, BackupDestination } from '@davit/api';

export const ORIGINS: Readonly<Record<Backup['origin'], string>> = {
  manual: 'by hand',
  schedule: 'by its schedule',
  safety: 'before a restore in place',
};

/** Where a backup is kept. */
export function destinationWords(destination: BackupDestination): string {
  if (destination.kind === 'disk') return 'this machine';
  const { store, bucket, prefix } = destination;
  return `${store}: ${bucket}/${prefix}`;
}

/** Whether somebody has tried it, and what came of it. */
export function verifiedWords({ verified }: Pick<Backup, 'verified'>): {
  says: string;
  tone: 'good' | 'error' | 'soft';
} {
  if (verified === null) return { says: 'not tried', tone: 'soft' };
  return verified.ok ? { says: 'restored and whole', tone: 'good' } : { says: 'could not be restored', tone: 'error' };
}

/** What cannot be done with a backup in its present state, in a sentence; null: it can. */
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

/** What is not covered first; each of them by reference. */
export function problemsFirst(coverage: readonly BackupCoverage[]): BackupCoverage[] {
  const rank = ({ problem }: BackupCoverage) => (problem === null ? 1 : 0);
  return coverage.toSorted((a, b) => rank(a) - rank(b) || a.database.localeCompare(b.database));
}

/** «2 of 5 databases are covered.» */
export function coverageSentence(coverage: readonly BackupCoverage[]): string {
  const covered = coverage.filter(({ problem }) => problem === null).length;
  if (coverage.length === 0) return 'There is no database to back up yet.';
  if (covered === coverage.length)
    return coverage.length === 1 ? 'The database is covered.' : 'All databases are covered.';
  return `${covered} of ${coverage.length} databases ${covered === 1 ? 'is' : 'are'} covered.`;
}

/** The last part of a reference: what is typed to confirm. */
export function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}
