/**
 * Looks after the disks that the instance needs: warns while there is time, refuses new releases before there is no room,
 * and keeps a last reserve. It only looks; what is taken away is for the collection of images and for a person.
 */
import type { DiskState, Instance, InstanceSettings } from '@davit/api';
import type { Logger } from '@davit/service';
import { diskUse } from '../adapters/engine/disk-use.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import type { DiskUse } from '../adapters/engine/volume.ts';
import { type Ballast, createBallast } from './ballast.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/** The pass that looks, and what its last look means under the settings of this moment. */
export interface DiskWatch {
  task: Task;
  /** Why nothing that brings a new image may begin, in a sentence; null: there is room. */
  guard(): string | null;
  /** The fullest disk; null before the first look. */
  fullest(): Instance['disk'];
  /** Warnings for operators. */
  warnings(): string[];
}

export interface DiskWatchOptions {
  log: Logger;
  /** Called when a disk begins to fill up: there may be something to let go of. */
  onFilling: () => void;
  /** How the data directory's disk is looked at; another one for tests. */
  use?: ((path: string) => Promise<DiskUse>) | undefined;
  /** Null: no reserve. */
  ballast?: Ballast | null;
}

type Watched = Pick<ReconcilersDeps, 'engine' | 'settings' | 'facts'>;
type Limits = InstanceSettings['disk'];

export function watchDisk(base: Watched, options: DiskWatchOptions): DiskWatch {
  const { engine, settings, facts } = base;
  const { log, onFilling, use = diskUse } = options;
  // Where nothing real runs there is nothing to be saved.
  const { ballast = engine.capabilities.simulated ? null : createBallast(facts.dataDir) } = options;
  let disks: DiskUse[] = [];
  let told: DiskState = 'ok';

  const fullest = () => disks.toSorted((a, b) => percentOf(b) - percentOf(a))[0] ?? null;
  const state = (): DiskState => stateOf(fullest(), settings().disk);
  const tell = () => {
    const disk = fullest();
    const now = state();
    if (disk === null || now === told) return;
    if (now === 'ok') log.info({ disk: disk.path }, 'there is room on the disk again');
    else log.warn({ disk: disk.path, freeBytes: disk.freeBytes, state: now }, 'the disk fills up');
    if (told === 'ok') onFilling();
    told = now;
  };

  return {
    task: {
      name: 'disk',
      everyMs: 10_000,
      async run() {
        const own = await use(facts.dataDir);
        disks = [own, await ofEngine(engine)].filter((disk) => disk !== null);
        tell();
        const done = await ballast?.balance(own.freeBytes);
        if (done === 'given up') log.error({ disk: own.path }, 'the disk is full: the last reserve was given up');
        return undefined;
      },
    },
    guard: () => (state() === 'refusing' ? refusal(fullest(), settings().disk) : null),
    fullest: () => present(fullest(), state()),
    warnings: () => warning(fullest(), state(), settings().disk),
  };
}

/** An engine that is away says nothing of its disk, and takes none of it. */
async function ofEngine(engine: ReconcilersDeps['engine']): Promise<DiskUse | null> {
  try {
    return await engine.disk();
  } catch (error) {
    if (error instanceof EngineUnavailable) return null;
    throw error;
  }
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
    `${howFull(disk)}: from ${limits.refuse_percent} % on nothing is pushed or deployed. Free some room in time.`,
  ];
}

function refusal(disk: DiskUse | null, { refuse_percent }: Limits): string | null {
  if (disk === null) return null;
  return `${howFull(disk)}: no new release is pushed or deployed from ${refuse_percent} % on. Free some room, for example with POST /api/images/collect?dry_run=false and POST /api/registry/collect?dry_run=false; it goes on by itself then.`;
}

function howFull(disk: DiskUse): string {
  // Whole GiB: everybody reads it, and an exact size tells what other projects have.
  const free = Math.floor(disk.freeBytes / 1024 ** 3);
  return `The disk of ${disk.path} is ${Math.floor(percentOf(disk))} % full (${free === 0 ? 'less than 1' : free} GiB free)`;
}

function present(disk: DiskUse | null, state: DiskState): Instance['disk'] {
  return disk && { path: disk.path, total_bytes: disk.totalBytes, free_bytes: disk.freeBytes, state };
}
