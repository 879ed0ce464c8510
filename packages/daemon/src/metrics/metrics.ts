export const WINDOWS = ['1h', '6h', '24h', '7d'] as const;
export type Window = (typeof WINDOWS)[number];

/** What the instances of an app used together over one step. */
export interface AppSample {
  /** The step's end, milliseconds since the epoch. */
  at: number;
  /** 100 is one core. */
  cpuPercent: number;
  /** Without the page cache. */
  memoryBytes: number;
  receivedBytesPerS: number;
  sentBytesPerS: number;
  instances: number;
}

/** What apps and the machine used, measured on a clock. */
export interface Metrics extends AsyncDisposable {
  /** Oldest first, with the window's step in seconds. */
  series(appId: number, window: Window): { stepS: number; samples: AppSample[] };
  /** The newest sample of each app that runs. */
  latest(): Map<number, AppSample>;
  /** The exposition text that Prometheus reads. */
  exposition(): Promise<string>;
}
