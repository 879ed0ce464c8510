import type { Logger } from '@davit/service';
import type { FetchOptions } from '../auth/oauth/client-document.ts';
import type { DiskWatchOptions } from '../reconcilers/disk.ts';
import type { Interfaces } from '../resources/certificates/public-address.ts';
import type { DeployLimits } from '../resources/deployments/work.ts';
import type { TaskLimits } from '../resources/tasks/kind.ts';

export interface DaemonOptions {
  /** Returns the time in milliseconds since the epoch. */
  now?: () => number;
  /**
   * Returns milliseconds that pass independently of changes of the clock. Default: those of `now`, or of the process.
   */
  running?: () => number;
  log?: Logger;
  limits?: Partial<DeployLimits>;
  taskLimits?: Partial<TaskLimits>;
  /** Network interfaces of the server. Default: the actual interfaces. */
  interfaces?: Interfaces;
  /** Folder with the built dashboard. Default: the folder in its package. */
  dashboard?: string;
  /** Limits for fetching metadata of OAuth clients. Default: strict limits. */
  clients?: Partial<FetchOptions>;
  /** Measures the disk of the data directory. Default: the value of the system. */
  diskUse?: DiskWatchOptions['use'];
}
