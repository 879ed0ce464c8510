import type { Logger } from '@davit/service';

/**
 * Corrects differences between the desired and the actual state, for example missing containers. A run has no input and
 * always compares the whole state. So a run can start at any time, twice, or after a crash. A failed run is not
 * retried, because the next run does the same. A timer or a call of `nudge` starts the next run.
 *
 * A run has no parameter such as "check app 5". If the call with this parameter was lost, the error in app 5 would
 * remain forever. Code for such parameters would also be rarely tested.
 */
export interface Task {
  name: string;
  /**
   * Interval in milliseconds between two runs of the reconciler. `null` means that the reconciler runs only after a
   * call of `nudge`.
   */
  everyMs: number | null;
  /**
   * Runs the reconciler once.
   * @returns milliseconds until the next run, if it should start earlier than `everyMs`
   */
  run(signal: AbortSignal): Promise<number | undefined>;
  /**
   * Resolves when all background operations of the reconciler have ended. The function is absent for reconcilers
   * without background operations.
   */
  settled?(): Promise<void>;
}

export interface Reconciler extends AsyncDisposable {
  /** Requests a run of the reconciler. Several requests during a run cause only one additional run. */
  nudge(): void;
  /** Requests a run of the reconciler, and resolves at its end. Background operations may continue. */
  run(): Promise<void>;
  /**
   * Resolves when no run of the reconciler is in progress or requested, and all its background operations have ended.
   */
  settled(): Promise<void>;
}

export function startReconciler(task: Task, log: Logger): Reconciler {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isRequested = false;
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
    while (isRequested && !stopping.signal.aborted) {
      isRequested = false;
      await pass();
    }
    passing = null;
  };
  const nudge = () => {
    isRequested = true;
    passing ??= drain();
  };

  schedule(task.everyMs);
  return {
    nudge,
    async run() {
      nudge();
      await passing;
    },
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
