/**
 * Measures the disks that contain the data of Davit and Docker. If a disk is nearly full, Davit refuses new images. If
 * the disk is full, Davit deletes the reserve file.
 */
import type { DiskState, Instance, InstanceSettings } from '@davit/api';
import type { Logger } from '@davit/service';
import { diskUse } from '../adapters/engine/disk-use.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import type { DiskUse } from '../adapters/engine/volume.ts';
import { type Ballast, createBallast } from './ballast.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Measures the disks at a fixed interval. The methods compare the last measurement with the limits in the instance
 * settings.
 */
export interface DiskWatch {
  task: Task;
  /** Returns the reason why no new image may be pulled or pushed. Returns `null` if there is enough disk space. */
  guard(): string | null;
  /** Returns the disk with the highest use in percent, or `null` if no disk was measured yet. */
  fullest(): Instance['disk'];
  warnings(): string[];
}

export interface DiskWatchOptions {
  log: Logger;
  /** Called when a disk becomes nearly full, so that unneeded images can be removed. */
  onFilling: () => void;
  /** Returns the size and the free space of the disk that contains the data directory. Tests replace this function. */
  use?: ((path: string) => Promise<DiskUse>) | undefined;
  /**
   * File that reserves disk space. Davit deletes the file when the disk is full. `null` means that there is no such
   * file.
   */
  ballast?: Ballast | null;
}

type Watched = Pick<ReconcilersDeps, 'engine' | 'settings' | 'facts'>;
type Limits = InstanceSettings['disk'];

export function watchDisk(base: Watched, options: DiskWatchOptions): DiskWatch {
  const { engine, settings, facts } = base;
  const { log, onFilling, use = diskUse } = options;
  // A simulated Docker engine stores no images on the disk, so Davit needs no file that reserves disk space.
  const { ballast = engine.capabilities.simulated ? null : createBallast(facts.dataDir) } = options;
  let disks: DiskUse[] = [];
  let reportedState: DiskState = 'ok';

  const fullest = () => disks.toSorted((a, b) => percentOf(b) - percentOf(a))[0] ?? null;
  const state = (): DiskState => stateOf(fullest(), settings().disk);
  const report = () => {
    const disk = fullest();
    const now = state();
    if (disk === null || now === reportedState) return;
    if (now === 'ok') log.info({ disk: disk.path }, 'the disk has enough free space again');
    else log.warn({ disk: disk.path, freeBytes: disk.freeBytes, state: now }, 'the disk is nearly full');
    if (reportedState === 'ok') onFilling();
    reportedState = now;
  };

  return {
    task: {
      name: 'disk',
      everyMs: 10_000,
      async run() {
        const own = await use(facts.dataDir);
        disks = [own, await ofEngine(engine)].filter((disk) => disk !== null);
        report();
        const done = await ballast?.balance(own.freeBytes);
        if (done === 'given up') log.error({ disk: own.path }, 'the disk is full; Davit deleted its reserve file');
        return undefined;
      },
    },
    guard: () => (state() === 'refusing' ? refusal(fullest(), settings().disk) : null),
    fullest: () => present(fullest(), state()),
    warnings: () => warning(fullest(), state(), settings().disk),
  };
}

/** Returns the disk usage of Docker. Returns `null` if Docker is unavailable, because Docker then writes no data. */
async function ofEngine(engine: ReconcilersDeps['engine']): Promise<DiskUse | null> {
  try {
    return await engine.disk();
  } catch (error) {
    if (error instanceof EngineUnavailable) return null;
    throw error;
  }
}

/** Returns the state of a disk and its warnings. */
export function diskWarnings(disk: DiskUse, limits: Limits): { state: DiskState; texts: string[] } {
  const state = stateOf(disk, limits);
  return { state, texts: warning(disk, state, limits) };
}

function stateOf(disk: DiskUse | null, { warn_percent, refuse_percent }: Limits): DiskState {
  if (disk === null) return 'ok';
  const percent = percentOf(disk);
  if (percent >= refuse_percent) return 'refusing';
  return percent >= warn_percent ? 'warning' : 'ok';
}

function percentOf({ totalBytes, freeBytes }: DiskUse): number {
  return totalBytes === 0 ? 0 : (100 * (totalBytes - freeBytes)) / totalBytes;
}

function warning(disk: DiskUse | null, state: DiskState, limits: Limits): string[] {
  if (disk === null || state === 'ok') return [];
  if (state === 'refusing') return [refusal(disk, limits) ?? ''];
  return [
    `${howFull(disk)}, and at ${limits.refuse_percent} % Davit will refuse pushes and deployments. Free some space.`,
  ];
}

function refusal(disk: DiskUse | null, { refuse_percent }: Limits): string | null {
  if (disk === null) return null;
  return `${howFull(disk)}, so Davit refuses pushes and deployments (limit: ${refuse_percent} %). Free some space, for example with POST /api/images/collect?dry_run=false and POST /api/registry/collect?dry_run=false.`;
}

function howFull(disk: DiskUse): string {
  // Round the free disk space, because all users see it. The exact value would show how much data other projects store.
  const free = Math.floor(disk.freeBytes / 1024 ** 3);
  return `The disk of ${disk.path} is ${Math.floor(percentOf(disk))} % full (${free === 0 ? 'less than 1' : free} GiB free)`;
}

function present(disk: DiskUse | null, state: DiskState): Instance['disk'] {
  return disk && { path: disk.path, total_bytes: disk.totalBytes, free_bytes: disk.freeBytes, state };
}
