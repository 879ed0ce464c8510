import type { MetricWindow } from '@davit/api';

/** Total use of an app's replicas, in one step or at one measurement. */
export interface AppSample {
  /** Processor use. 100 is one core. */
  cpuPercent: number;
  /** Memory without the page cache. */
  memoryBytes: number;
  /** Total limit of all replicas, or `null` if a replica has no limit. */
  memoryLimitBytes: number | null;
  receivedBytesPerS: number;
  sentBytesPerS: number;
  replicas: number;
}

/** Total use of the server. */
export interface MachineSample {
  /** Processor use. 100 is one core. */
  cpuPercent: number;
  memoryBytes: number;
  memoryTotalBytes: number;
  diskBytes: number;
  diskTotalBytes: number;
  receivedBytesPerS: number;
  sentBytesPerS: number;
  /** Mean number of running and runnable processes in the last minute. */
  load: number;
}

/** Samples of a window, one per step, oldest first. A sample is `null` if nothing was measured. */
export interface Series<S> {
  stepS: number;
  samples: {
    /** End of the step, in milliseconds since the epoch. */
    at: number;
    sample: S | null;
  }[];
}

/** Totals since the start of this process. */
export interface AppTotals {
  cpuS: number;
  receivedBytes: number;
  sentBytes: number;
}

export interface Measured {
  /** Time in milliseconds since the epoch. */
  at: number;
  /** Samples by app id. An app has no sample until one of its replicas has been measured twice. */
  apps: ReadonlyMap<number, AppSample>;
}

/** Resource use of apps and of the server, measured periodically. */
export interface Metrics extends AsyncDisposable {
  /**
   * Measures once, in addition to the periodic measurements.
   * @throws EngineUnavailable
   */
  sample(): Promise<void>;
  app(appId: number, window: MetricWindow): Series<AppSample>;
  /** Returns the use of a database, like an app with one replica. */
  database(databaseId: number, window: MetricWindow): Series<AppSample>;
  machine(window: MetricWindow): Series<MachineSample>;
  /** Returns the newest measurement of each running app. */
  latest(): ReadonlyMap<number, AppSample>;
  /** Returns the totals of each app since its first measurement by this process. */
  totals(): ReadonlyMap<number, AppTotals>;
  /**
   * Calls the listener after each round of measurements.
   * @returns function that removes the listener
   */
  onSample(listener: (measured: Measured) => void): () => void;
  /**
   * Calls the listener after each measurement of the server, even if the engine is unavailable. The sample is `null` if
   * no sample exists yet.
   * @returns function that removes the listener
   */
  onMachine(listener: (at: number, sample: MachineSample | null) => void): () => void;
}
