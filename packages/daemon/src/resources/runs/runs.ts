import type { Via } from '@davit/api';
import type { TakeLine } from '../../adapters/engine/one-off.ts';
import type { Tx } from '../../db/store.ts';

export interface RunAsk {
  appId: number;
  /** Id of the schedule, or `null` if a user requested the run. */
  scheduleId: number | null;
  command: readonly string[];
  timeoutS: number;
  by: string;
  via: Via;
}

/** Interface of the command runner. */
export interface Runs {
  /**
   * Records a run and starts it in the background. Runs are allowed even on an almost full disk, because commands can
   * free space.
   * @param also change to make in the transaction of the record
   * @throws DavitError conflict (no live release, too many runs, or the schedule's last run is in progress), not_found,
   * unavailable
   */
  begin(ask: RunAsk, watcher?: TakeLine, also?: (tx: Tx) => void): number;
  /** Records that a schedule's time passed without a run, with the reason. */
  skip(tx: Tx, ask: RunAsk, why: string): void;
  /**
   * Aborts a run. Resolves when its end is recorded.
   * @throws DavitError conflict if the run has already ended
   */
  cancel(id: number, why: string): Promise<void>;
  /**
   * Resolves when a run has ended, or at once if it already has.
   * @throws the signal's reason, Interrupted when the daemon stops
   */
  ended(id: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when every aborted run has ended, such as the runs of a deleted app.
   * @throws TimeoutError if that takes too long
   */
  toldEnded(): Promise<void>;
}
