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
   * Returns the time of a monotonic clock in milliseconds. A change of the server's clock does not affect this time.
   * Default: `now` if it is set, otherwise `performance.now`.
   */
  running?: () => number;
  log?: Logger;
  limits?: Partial<DeployLimits>;
  taskLimits?: Partial<TaskLimits>;
  /** Network interfaces of the server. Default: the interfaces that the operating system reports. */
  interfaces?: Interfaces;
  /** Path of the folder with the built dashboard. Default: the folder in the dashboard's package. */
  dashboard?: string;
  /** Limits for requests that fetch the metadata of OAuth clients. Default: strict limits. */
  clients?: Partial<FetchOptions>;
  /**
   * Returns the size and the free space of the disk that contains the data directory. Default: a function that asks the
   * operating system.
   */
  diskUse?: DiskWatchOptions['use'];
}
