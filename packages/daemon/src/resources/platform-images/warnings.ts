import { count, timestamp } from '@davit/api';
import type { PackageChange, PackageVersion, PlatformImageRecord } from '../../adapters/engine/platform-images.ts';
import type { OutdatedDatabase } from './databases.ts';
import type { CheckFailureCode, CheckState } from './updates.ts';
import { type MaintenanceWindow, windowText } from './window.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Maximum age in milliseconds of the last successful check for newer packages. If the check is older, Davit shows a
 * warning.
 */
const OVERDUE_MS = 3 * DAY_MS;
const NAMED = 3;

const FAILURES: Record<CheckFailureCode, string> = {
  no_package_manager: 'The program apt-get or dpkg is not installed on this server.',
  disk_full: 'The disk is too full.',
  repository_unavailable: 'The package repositories could not be reached, or a signature was not valid.',
  packages_unavailable: 'The package repositories do not contain a package that an image needs.',
  packages_older: 'The package repositories offer an older version of a package than the current image contains.',
  build_failed: 'An image could not be built or deployed.',
  engine_unavailable: 'Docker did not respond.',
};

export interface PlatformSight {
  records: readonly PlatformImageRecord[];
  check: CheckState;
  isEnabled: boolean;
  outdated: readonly OutdatedDatabase[];
  window: MaintenanceWindow;
  /**
   * Start time of the daemon in milliseconds since the epoch. It is used instead of the time of the last check if no
   * check for newer packages has succeeded yet.
   */
  startedAt: number;
  now: number;
}

/** Returns warnings about the container images that this instance builds. */
export function platformWarnings(sight: PlatformSight): string[] {
  const { records, outdated } = sight;
  return [
    ...checkWarnings(sight),
    ...records.flatMap(({ name, available, previous, packages }) => {
      const changes = previous === null ? available : changesBetween(previous.packages, packages);
      return changes.length === 0 && previous === null
        ? []
        : [
            `Newer packages for ${name}${named(changes)} are being installed. Davit uses the earlier version until the installation ends.`,
          ];
    }),
    ...records.flatMap(({ name, packages, keptBack }) =>
      keptBack === null
        ? []
        : [
            `Newer packages for ${name}${named(changesBetween(packages, keptBack.packages))} do not work on this server and are not used; the earlier version stays in use. See the log of the daemon. Davit tries again with the next check.`,
          ],
    ),
    ...databaseWarnings(outdated, sight.window),
  ];
}

function checkWarnings({ records, check, isEnabled, startedAt, now }: PlatformSight): string[] {
  const { failure, checkedAt, running } = check;
  const age =
    checkedAt === null
      ? 'No check for security updates has succeeded yet.'
      : `The last successful check was at ${timestamp(checkedAt)} (${daysOf(now - checkedAt)} ago).`;
  if (failure !== null) {
    const again = isEnabled ? ' Davit repeats the check within an hour.' : '';
    return [
      `The check for security updates of the platform images (proxy, registry and DNS resolver) failed. ${FAILURES[failure.code]} ${age}${again} See the log of the daemon.`,
    ];
  }
  if (!isEnabled || running || records.length === 0 || now - (checkedAt ?? startedAt) < OVERDUE_MS) return [];
  return [
    `The daily check for security updates of the platform images (proxy, registry and DNS resolver) is overdue. ${age}`,
  ];
}

/**
 * Returns warnings about outdated databases. The warnings contain only the number of databases, because their readers
 * may not see every project.
 */
function databaseWarnings(outdated: readonly OutdatedDatabase[], window: MaintenanceWindow): string[] {
  const kept = outdated.filter(({ isKeptBack }) => isKeptBack).length;
  const waiting = outdated.length - kept;
  return [
    ...(waiting === 0
      ? []
      : [
          `Newer packages are ready for ${databases(waiting)}. Davit installs them in the maintenance window, ${windowText(window)}, and restarts the database${waiting === 1 ? '' : 's'}.`,
        ]),
    ...(kept === 0
      ? []
      : [
          `The update of ${databases(kept)} failed or was canceled; the earlier version stays in use. See the tasks of the kind database.update.`,
        ]),
  ];
}

function databases(amount: number): string {
  return count(amount, 'database');
}

/** Returns the packages whose versions differ between the two package lists. */
export function changesBetween(before: readonly PackageVersion[], after: readonly PackageVersion[]): PackageChange[] {
  const versions = new Map(before.map(({ name, version }) => [name, version]));
  return after.flatMap(({ name, version }) => {
    const from = versions.get(name);
    return from === undefined || from === version ? [] : [{ name, from, to: version }];
  });
}

function named(changes: readonly PackageChange[]): string {
  return changes.length === 0
    ? ''
    : ` (${listed(changes.map(({ name, from, to }) => `${name} ${from} to ${to ?? 'none'}`))})`;
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function daysOf(ms: number): string {
  const days = Math.max(0, Math.floor(ms / DAY_MS));
  return count(days, 'day');
}
