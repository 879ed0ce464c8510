import type { Logger } from '@davit/service';
import type { FetchOptions } from '../auth/oauth/client-document.ts';
import type { DiskWatchOptions } from '../reconcilers/disk.ts';
import type { Interfaces } from '../resources/certificates/public-address.ts';
import type { DeployLimits } from '../resources/deployments/work.ts';
import type { TaskLimits } from '../resources/tasks/kind.ts';

export interface DaemonOptions {
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds that pass whatever the clock is set to; those of `now`, or of the process, unless given. */
  running?: () => number;
  log?: Logger;
  limits?: Partial<DeployLimits>;
  taskLimits?: Partial<TaskLimits>;
  /** The machine's network interfaces; its own unless given. */
  interfaces?: Interfaces;
  /** The folder with the built dashboard; that of its package unless given. */
  dashboard?: string;
  /** How descriptions of programs that ask for access are read; carefully unless given. */
  clients?: Partial<FetchOptions>;
  /** How full the data directory's disk is; asked of the system unless given. */
  diskUse?: DiskWatchOptions['use'];
}
