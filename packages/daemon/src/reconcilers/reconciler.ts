import type { Logger } from '@davit/service';

/**
 * A loop that corrects differences between the desired and the actual state. A pass of the loop has no input and
 * compares the whole state. It may therefore run at any time, twice, or after a crash. A failed pass is not retried.
 * The next pass does the same, started by a timer or by `nudge`.
 *
 * A pass gets no hint such as "check app 5". A lost hint would leave an error forever. A second code path for this
 * case would never be tested.
 */
export interface Task {
  name: string;
  /** Time in milliseconds between two passes without a nudge. `null`: passes run only after a nudge. */
  everyMs: number | null;
  /**
   * Runs one pass.
   * @returns milliseconds until the next pass, if it should start earlier than `everyMs`
   */
  run(signal: AbortSignal): Promise<number | undefined>;
  /**
   * Resolves when work that earlier passes started in the background has ended. Absent if passes start no such work.
   */
  settled?(): Promise<void>;
}

export interface Reconciler extends AsyncDisposable {
  /** Requests a pass soon. Several nudges during a pass cause only one more pass. */
  nudge(): void;
  /** Resolves when no pass is running or requested, and no background work of a pass is in progress. */
  settled(): Promise<void>;
}

export function startReconciler(task: Task, log: Logger): Reconciler {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let asked = false;
  let passing: Promise<void> | null = null;

  const schedule = (ms: number | null) => {
    clearTimeout(timer);
    if (ms !== null && !stopping.signal.aborted) timer = setTimeout(nudge, ms).unref();
  };
  const pass = async () => {
    let again: number | undefined;
    try {
      again = await task.run(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ task: task.name, error }, 'a reconciler failed; it tries again later');
    }
    schedule(again === undefined ? task.everyMs : Math.min(again, task.everyMs ?? again));
  };
  const drain = async () => {
    while (asked && !stopping.signal.aborted) {
      asked = false;
      await pass();
    }
    passing = null;
  };
  const nudge = () => {
    asked = true;
    passing ??= drain();
  };

  schedule(task.everyMs);
  return {
    nudge,
    async settled() {
      do {
        await passing;
        await task.settled?.();
      } while (passing);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('stopping'));
      clearTimeout(timer);
      await passing;
      await task.settled?.();
    },
  };
}
