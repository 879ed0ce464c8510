import type { Logger } from '@davit/service';
import type { FetchOptions } from '../auth/oauth/client-document.ts';
import type { DiskWatchOptions } from '../reconcilers/disk.ts';
import type { Interfaces } from '../resources/certificates/public-address.ts';
import type { DeployLimits } from '../resources/deployments/work.ts';
import type { TaskLimits } from '../resources/tasks/kind.ts';

export interface DaemonOptions {
  /** Returns the current time in milliseconds since the epoch. */
  now?: () => number;
  /**
   * Monotonic clock in milliseconds, which changes of the server's clock do not affect. Default: `now` if it is set,
   * otherwise `performance.now`.
   */
  running?: () => number;
  log?: Logger;
  limits?: Partial<DeployLimits>;
  taskLimits?: Partial<TaskLimits>;
  /** Network interfaces of the server. Default: those of the operating system. */
  interfaces?: Interfaces;
  /** Path of the folder with the built dashboard. Default: the folder in the dashboard's package. */
  dashboard?: string;
  /** Limits for requests to the metadata URLs of OAuth clients. Default: strict limits. */
  clients?: Partial<FetchOptions>;
  /** Measures the disk of the data directory. Default: a system call. */
  diskUse?: DiskWatchOptions['use'];
}
