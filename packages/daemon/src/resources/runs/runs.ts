import type { Via } from '@davit/api';
import type { TakeLine } from '../../adapters/engine/one-off.ts';
import type { Tx } from '../../db/store.ts';

export interface RunAsk {
  appId: number;
  /** Null: somebody asked for it, not a schedule. */
  scheduleId: number | null;
  command: readonly string[];
  timeoutS: number;
  by: string;
  via: Via;
}

/** The machine that runs commands, as its users see it. */
export interface Runs {
  /**
   * Puts a run on record and begins it; the work is detached. A disk that is nearly full refuses none: commands are how
   * room is made.
   * @param also done in the transaction of the record
   * @throws DavitError conflict (no live release, too many, its schedule's last run is going), not_found, unavailable
   */
  begin(ask: RunAsk, watcher?: TakeLine, also?: (tx: Tx) => void): number;
  /** Puts on record that a schedule's time passed without a run, and why. */
  skip(tx: Tx, ask: RunAsk, why: string): void;
  /**
   * Ends a run; resolves when its end is on record.
   * @throws DavitError conflict when it has ended
   */
  cancel(id: number, why: string): Promise<void>;
  /** Resolves when a run has ended; at once for one that has. @throws the signal's reason, Interrupted at a stop */
  ended(id: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves when every run that was told to end has ended, such as those of an app that was just deleted.
   * @throws TimeoutError when that takes longer than it should
   */
  toldEnded(): Promise<void>;
}
