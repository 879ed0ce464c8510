import { deleteAnswersBefore, hasAnswersBefore, KEYS_KEPT_MS } from '../db/tables/idempotency.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/** Deletes expired `Idempotency-Key` values of API requests, together with their stored responses. */
export function answersTask({ store, now }: Pick<ReconcilersDeps, 'store' | 'now'>): Task {
  return {
    name: 'answers',
    everyMs: 60 * 60_000,
    async run() {
      const over = now() - KEYS_KEPT_MS;
      if (hasAnswersBefore(store, over)) store.tx((tx) => deleteAnswersBefore(tx, over));
      return undefined;
    },
  };
}
