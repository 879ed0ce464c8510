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

/** Interface for running commands in new containers of apps. */
export interface Runs {
  /**
   * Inserts a run into the database and starts its command in the background. A run is allowed even if the disk is
   * almost full, because the command can free space.
   * @param also function for other changes in the same SQLite transaction
   * @throws DavitError conflict if the app has no live release or too many runs, or if the schedule's last run is still
   * in progress; not_found; unavailable
   */
  begin(ask: RunRequest, watcher?: TakeLine, also?: (tx: Tx) => void): number;
  /** Saves that a scheduled run was skipped, with the reason. */
  skip(tx: Tx, ask: RunRequest, why: string): void;
  /**
   * Cancels a run. Resolves when the end of the run is saved in the database.
   * @throws DavitError conflict if the run has already ended
   */
  cancel(id: number, why: string): Promise<void>;
  /**
   * Resolves when the run has ended.
   * @throws the signal's reason; Interrupted if the daemon stops
   */
  ended(id: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when all canceled runs have ended, for example the runs of a deleted app.
   * @throws TimeoutError if they do not end in time
   */
  toldEnded(): Promise<void>;
}
