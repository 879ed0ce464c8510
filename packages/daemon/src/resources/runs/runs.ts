import type { Via } from '@davit/api';
import type { TakeLine } from '../../adapters/engine/one-off.ts';
import type { Tx } from '../../db/store.ts';

export interface RunRequest {
  appId: number;
  /** Id of the schedule that starts the run, or `null` if a user starts it. */
  scheduleId: number | null;
  command: readonly string[];
  timeoutS: number;
  by: string;
  via: Via;
}

/** Runner of commands in new containers of apps. */
export interface Runs {
  /**
   * Inserts a run into SQLite and starts its command in the background. Runs are allowed even if the disk is almost
   * full, because commands can free space.
   * @param also change to make in the same SQLite transaction
   * @throws DavitError conflict if the app has no live release or too many runs; conflict if the schedule's last run is
   * in progress; not_found; unavailable
   */
  begin(ask: RunRequest, watcher?: TakeLine, also?: (tx: Tx) => void): number;
  /** Saves a skipped run of a schedule, with the reason why its command was not run. */
  skip(tx: Tx, ask: RunRequest, why: string): void;
  /**
   * Cancels a run. Resolves when the end of the run is in SQLite.
   * @throws DavitError conflict if the run has already ended
   */
  cancel(id: number, why: string): Promise<void>;
  /**
   * Resolves when a run has ended.
   * @throws the signal's reason; Interrupted if the daemon stops
   */
  ended(id: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when all canceled runs have ended, for example the runs of a deleted app.
   * @throws TimeoutError if this takes too long
   */
  toldEnded(): Promise<void>;
}
