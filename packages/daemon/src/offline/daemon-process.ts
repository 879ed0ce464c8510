/** Finds and stops the daemon of a data directory, also if its API does not respond. */
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DataDirTaken, lockDataDir } from '@davit/service';

/** Maximum duration of the daemon's shutdown in milliseconds. The daemon itself ends after 20 seconds at the latest. */
const STOP_MS = 30_000;
const POLL_MS = 50;

/** Error for a daemon that could not be stopped. The message says what the operator must do. */
export class DaemonNotStopped extends Error {
  override name = 'DaemonNotStopped';
}

/**
 * Returns the process id of the daemon that holds the lock of a data directory. Returns `null` if no daemon holds the
 * lock, or if this user or this namespace cannot see its process.
 */
export function daemonOf(dataDir: string): number | null {
  const lock = join(dataDir, 'lock.db');
  const found = statSync(lock, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return null;
  const path = realpathSync(lock);
  // A backup program can have the same file open, so the process must also hold a lock of the file.
  return lockHolders(found.ino).find((pid) => hasOpen(pid, path)) ?? null;
}

/** Returns the processes that hold a write lock of an inode, from lines such as `1: POSIX ADVISORY WRITE 42 fd:00:7 0 9`. */
function lockHolders(inode: bigint): number[] {
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, kind, , access, pid, file = ''] = line.trim().split(/\s+/);
      const isIt = kind === 'POSIX' && access === 'WRITE' && file.split(':')[2] === String(inode);
      return isIt && Number(pid) > 0 ? [Number(pid)] : [];
    });
}

function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((fd) => readlinkSync(join(folder, fd)) === path);
  } catch {
    // The process has ended, or this user may not inspect it.
    return false;
  }
}

/** Returns the systemd service of a process, for example `davit.service`. Returns `null` if there is none. */
export function serviceOf(pid: number): string | null {
  try {
    return /\/([^/\n]+\.service)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? null;
  } catch {
    // The process has ended.
    return null;
  }
}

/**
 * Stops the daemon with SIGTERM, waits for its end, and locks the data directory. No daemon can start until the lock is
 * disposed.
 * @throws DaemonNotStopped
 */
export async function stopAndLock(dataDir: string): Promise<Disposable> {
  const deadline = performance.now() + STOP_MS;
  let asked: number | null = null;
  for (;;) {
    const pid = daemonOf(dataDir);
    // The process is looked up before the lock. A daemon that ends in between would otherwise seem to be invisible.
    const lock = tryToLock(dataDir);
    if (lock !== null) return lock;
    if (pid !== null && pid !== asked) {
      terminate(pid);
      asked = pid;
    }
    if (performance.now() > deadline) throw new DaemonNotStopped(notStopped(dataDir, asked));
    await delay(POLL_MS);
  }
}

function notStopped(dataDir: string, pid: number | null): string {
  if (pid !== null)
    return `The daemon (process ${pid}) did not stop within ${STOP_MS / 1_000} seconds. End this process, then run the command again.`;
  return `Another process uses the data directory ${dataDir}, but this user cannot see the process. Stop it, then run the command again.`;
}

function tryToLock(dataDir: string): Disposable | null {
  try {
    return lockDataDir(dataDir, 'Davit');
  } catch (error) {
    if (error instanceof DataDirTaken) return null;
    throw error;
  }
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // The process ended before the signal.
    if (code === 'ESRCH') return;
    throw new DaemonNotStopped(`This user may not stop the daemon (process ${pid}). Run the command as root.`, {
      cause,
    });
  }
}
