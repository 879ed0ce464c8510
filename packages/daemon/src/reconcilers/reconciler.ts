import type { Logger } from '@davit/service';

/**
 * Keeps something true. A reconciler has no input: each pass looks at the whole intended state and at the whole world
 * and does what is missing, so it may run at any time, twice, or after a crash. It does not retry by itself: the next
 * pass, by timer or by nudge, is the retry. A queue of hints («look at app 5») was rejected: a hint that is lost is a
 * thing that stays untrue, and a second path that only the lost case takes is never tested.
 */
export interface Task {
  name: string;
  /** Milliseconds between passes when nobody nudges. Null: only when nudged. */
  everyMs: number | null;
  /** Answers in how many milliseconds it wants to be called again, when sooner than by the timer. */
  run(signal: AbortSignal): Promise<number | undefined>;
}

export interface Reconciler extends AsyncDisposable {
  /** Asks for a pass soon; nudges during a pass lead to one more. */
  nudge(): void;
  /** Resolves when no pass is running or asked for. */
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
      if (!stopping.signal.aborted)
        log.warn({ task: task.name, error }, 'a reconciler’s pass did not succeed: the next one tries again');
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
      while (passing) await passing;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('stopping'));
      clearTimeout(timer);
      await passing;
    },
  };
}
