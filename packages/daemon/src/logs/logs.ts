import type { LogLine } from '../engine/engine.ts';

/** One kept line of an app's instance. */
export interface KeptLine extends LogLine {
  /** `<deployment>-<n>`, short for the instance. */
  instance: string;
  deployment: number;
}

export interface LogSearch {
  /** Only lines that contain this, letter case aside. */
  q?: string;
  since?: Date;
  until?: Date;
  instance?: string;
  deployment?: number;
  /** The newest so many. */
  limit: number;
}

/** A follower was too slow; the sentence says so to whoever reads. */
export class FollowerTooSlow extends Error {
  override name = 'FollowerTooSlow';
}

/** What apps wrote, kept beyond the containers that wrote it. */
export interface Logs extends AsyncDisposable {
  /** The newest lines that match, oldest first, merged over instances in time order. */
  search(appId: number, search: LogSearch, signal: AbortSignal): Promise<KeptLine[]>;
  /**
   * Lines as they come in, in batches; ends with the signal.
   * @throws FollowerTooSlow when the reader does not keep up with what is bounded for it
   */
  follow(
    appId: number,
    filter: Omit<LogSearch, 'limit' | 'since' | 'until'>,
    signal: AbortSignal,
  ): AsyncIterable<KeptLine[]>;
  /** Forgets everything of an app. */
  forget(appId: number): Promise<void>;
  /** Looks for containers whose lines are not read yet. */
  nudge(): void;
}
