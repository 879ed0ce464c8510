/**
 * Watches the disks that the instance needs. The watch warns early, refuses new releases before a disk is full, and
 * keeps a last reserve. The watch deletes nothing else: the image collection and operators free disk space.
 */
import type { DiskState, Instance, InstanceSettings } from '@davit/api';
import type { Logger } from '@davit/service';
import { diskUse } from '../adapters/engine/disk-use.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import type { DiskUse } from '../adapters/engine/volume.ts';
import { type Ballast, createBallast } from './ballast.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/** The reconciler that measures the disks, and the meaning of its last measurement under the present settings. */
export interface DiskWatch {
  task: Task;
  /** Returns why no work that needs a new image may start, as a sentence, or `null` if there is enough space. */
  guard(): string | null;
  /** Returns the fullest disk, or `null` before the first measurement. */
  fullest(): Instance['disk'];
  /** Returns warnings for operators. */
  warnings(): string[];
}

export interface DiskWatchOptions {
  log: Logger;
  /** Called when a disk is about to become full, so that unneeded data can be deleted. */
  onFilling: () => void;
  /** Measures the disk of the data directory. Tests replace this function. */
  use?: ((path: string) => Promise<DiskUse>) | undefined;
  /** Reserve file, or `null` for no reserve. */
  ballast?: Ballast | null;
}

type Watched = Pick<ReconcilersDeps, 'engine' | 'settings' | 'facts'>;
type Limits = InstanceSettings['disk'];

export function watchDisk(base: Watched, options: DiskWatchOptions): DiskWatch {
  const { engine, settings, facts } = base;
  const { log, onFilling, use = diskUse } = options;
  // A simulated engine needs no reserve.
  const { ballast = engine.capabilities.simulated ? null : createBallast(facts.dataDir) } = options;
  let disks: DiskUse[] = [];
  let told: DiskState = 'ok';

  const fullest = () => disks.toSorted((a, b) => percentOf(b) - percentOf(a))[0] ?? null;
  const state = (): DiskState => stateOf(fullest(), settings().disk);
  const tell = () => {
    const disk = fullest();
    const now = state();
    if (disk === null || now === told) return;
    if (now === 'ok') log.info({ disk: disk.path }, 'the disk has enough free space again');
    else log.warn({ disk: disk.path, freeBytes: disk.freeBytes, state: now }, 'the disk is nearly full');
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
        if (done === 'given up') log.error({ disk: own.path }, 'the disk is full; Davit deleted its reserve file');
        return undefined;
      },
    },
    guard: () => (state() === 'refusing' ? refusal(fullest(), settings().disk) : null),
    fullest: () => present(fullest(), state()),
    warnings: () => warning(fullest(), state(), settings().disk),
  };
}

/** Returns the disk use of the engine. An unavailable engine reports nothing and also writes nothing. */
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
    `${howFull(disk)}, and at ${limits.refuse_percent} % Davit will refuse pushes and deployments. Free some space.`,
  ];
}

function refusal(disk: DiskUse | null, { refuse_percent }: Limits): string | null {
  if (disk === null) return null;
  return `${howFull(disk)}, and from ${refuse_percent} % on Davit refuses pushes and deployments. Free some space, for example with POST /api/images/collect?dry_run=false and POST /api/registry/collect?dry_run=false.`;
}

function howFull(disk: DiskUse): string {
  // The text contains whole GiB, because all users read it and an exact size would reveal the use of other projects.
  const free = Math.floor(disk.freeBytes / 1024 ** 3);
  return `The disk of ${disk.path} is ${Math.floor(percentOf(disk))} % full (${free === 0 ? 'less than 1' : free} GiB free)`;
}

function present(disk: DiskUse | null, state: DiskState): Instance['disk'] {
  return disk && { path: disk.path, total_bytes: disk.totalBytes, free_bytes: disk.freeBytes, state };
}
