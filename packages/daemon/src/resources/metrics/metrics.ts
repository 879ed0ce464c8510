import type { MetricWindow } from '@davit/api';

/** What the instances of an app used together, over one step or at one measurement. */
export interface AppSample {
  /** 100 is one core. */
  cpuPercent: number;
  /** Without the page cache. */
  memoryBytes: number;
  /** Of all instances; null where one has none. */
  memoryLimitBytes: number | null;
  receivedBytesPerS: number;
  sentBytesPerS: number;
  instances: number;
}

/** What the machine used, whatever runs on it. */
export interface MachineSample {
  /** 100 is one core. */
  cpuPercent: number;
  memoryBytes: number;
  memoryTotalBytes: number;
  diskBytes: number;
  diskTotalBytes: number;
  receivedBytesPerS: number;
  sentBytesPerS: number;
  /** Processes that run or want to, the mean of the last minute. */
  load: number;
}

/** The samples of a window, one for each step, oldest first; null where nothing was measured. */
export interface Series<S> {
  stepS: number;
  samples: {
    /** The step's end, milliseconds since the epoch. */
    at: number;
    sample: S | null;
  }[];
}

/** What was counted since this process started. */
export interface AppTotals {
  cpuS: number;
  receivedBytes: number;
  sentBytes: number;
}

/** One round of measurements. */
export interface Measured {
  /** Milliseconds since the epoch. */
  at: number;
  /** By the app's number; an app whose instances were seen for the first time has no rates yet and is not here. */
  apps: ReadonlyMap<number, AppSample>;
}

/** What apps and the machine used, measured on a clock. */
export interface Metrics extends AsyncDisposable {
  /** One round of measurements, apart from those on the clock. @throws EngineUnavailable */
  sample(): Promise<void>;
  app(appId: number, window: MetricWindow): Series<AppSample>;
  /** The same of a database, which is one instance. */
  database(databaseId: number, window: MetricWindow): Series<AppSample>;
  machine(window: MetricWindow): Series<MachineSample>;
  /** The newest measurement of each app that runs. */
  latest(): ReadonlyMap<number, AppSample>;
  /** What each app took since it was first measured by this process. */
  totals(): ReadonlyMap<number, AppTotals>;
  /** Calls back after each round of measurements; answers the function that stops it. */
  onSample(listener: (measured: Measured) => void): () => void;
  /** The same of the machine, also while the engine is away. Null: nothing can be said of it yet. */
  onMachine(listener: (at: number, sample: MachineSample | null) => void): () => void;
}
