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
   * Saves a new run of a command, and starts the command in the background. This is allowed even if the disk is almost
   * full, because the command may free space.
   * @param also function that makes other changes in the same SQLite transaction
   * @throws DavitError conflict if the app has no live release, if too many runs are in progress, or if the last run of
   * the schedule has not ended
   * @throws DavitError not_found if the app does not exist; engine_unavailable if Docker does not respond
   */
  begin(ask: RunRequest, watcher?: TakeLine, also?: (tx: Tx) => void): number;
  /** Saves that a scheduled run was skipped, together with the reason. */
  skip(tx: Tx, ask: RunRequest, why: string): void;
  /**
   * Cancels a run. Resolves when the database contains the end of the run.
   * @throws DavitError conflict if the run has already ended
   */
  cancel(id: number, why: string): Promise<void>;
  /**
   * Resolves when the run of a command has ended.
   * @throws the abort reason of `signal` if `signal` is aborted
   * @throws Interrupted if the daemon stops before the command ends
   */
  ended(id: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when all canceled runs have ended, for example the runs of a deleted app.
   * @throws TimeoutError if they do not end in time
   */
  toldEnded(): Promise<void>;
}
