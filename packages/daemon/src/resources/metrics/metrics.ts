import type { MetricWindow } from '@davit/api';

/**
 * Resource usage of an app: the sum over all its replicas. The values come from one measurement, or from a time step,
 * for example of 10 seconds.
 */
export interface AppSample {
  /** CPU usage in percent, where 100 means one core. */
  cpuPercent: number;
  /** Memory usage without the page cache, in bytes. */
  memoryBytes: number;
  /** Sum of the memory limits of all replicas in bytes, or `null` if a replica has no limit. */
  memoryLimitBytes: number | null;
  receivedBytesPerS: number;
  sentBytesPerS: number;
  replicas: number;
}

export interface MachineSample {
  /** CPU usage in percent, where 100 means one core. */
  cpuPercent: number;
  memoryBytes: number;
  memoryTotalBytes: number;
  diskBytes: number;
  diskTotalBytes: number;
  receivedBytesPerS: number;
  sentBytesPerS: number;
  /** Load average of the last minute, as in `/proc/loadavg`. */
  load: number;
}

/**
 * Samples of a time window, one for each time step, oldest first. A sample is `null` if nothing was measured in the
 * time step.
 */
export interface Series<S> {
  stepS: number;
  samples: {
    /** End of the time step to which the sample belongs, in milliseconds since the epoch. */
    at: number;
    sample: S | null;
  }[];
}

/** Total resource usage of an app since this process first measured the app. */
export interface AppTotals {
  cpuS: number;
  receivedBytes: number;
  sentBytes: number;
}

export interface Measured {
  /** Time of the measurement, in milliseconds since the epoch. */
  at: number;
  /**
   * Map from app id to resource usage. An app is missing until one of its replicas was measured twice, because CPU
   * usage needs two measurements.
   */
  apps: ReadonlyMap<number, AppSample>;
}

/** Resource usage of apps, databases and the server, measured periodically. */
export interface Metrics extends AsyncDisposable {
  /**
   * Measures all apps and the server now, in addition to the periodic measurements.
   * @throws EngineUnavailable
   */
  sample(): Promise<void>;
  app(appId: number, window: MetricWindow): Series<AppSample>;
  /** Returns the resource usage of a database in the same form as for an app with one replica. */
  database(databaseId: number, window: MetricWindow): Series<AppSample>;
  machine(window: MetricWindow): Series<MachineSample>;
  latest(): ReadonlyMap<number, AppSample>;
  /** Returns the total resource usage of each app since this process first measured the app. */
  totals(): ReadonlyMap<number, AppTotals>;
  /**
   * Calls the listener after each measurement of the apps.
   * @returns function that removes the listener
   */
  onSample(listener: (measured: Measured) => void): () => void;
  /**
   * Calls the listener after each measurement of the server, even if Docker is unavailable. The first `sample` is
   * `null`, because rates need two measurements.
   */
  onMachine(listener: (at: number, sample: MachineSample | null) => void): () => void;
}
