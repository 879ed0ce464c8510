import { DavitError } from '@davit/api';
import type { Logger } from '@davit/service';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import { appsWithOtherLimits } from '../db/instance-limits.ts';
import { Backoff } from '../time/backoff.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Applies the current limits of apps to containers that still have old limits. This happens, for example, if Docker
 * refused the change or a deployment failed.
 */
export function limitsTask(
  { store, now }: Pick<ReconcilersDeps, 'store' | 'now'>,
  catchUp: (appId: number) => Promise<void>,
  log: Pick<Logger, 'info'>,
): Task {
  const attempts = new Backoff(now);
  return {
    name: 'limits',
    everyMs: 60_000,
    async run(signal) {
      for (const appId of appsWithOtherLimits(store)) {
        if (signal.aborted) return undefined;
        if (!attempts.isDue(appId)) continue;
        try {
          await catchUp(appId);
          attempts.succeeded(appId);
        } catch (error) {
          if (error instanceof EngineUnavailable) return undefined;
          if (!(error instanceof DavitError)) throw error;
          attempts.failed(appId);
          log.info({ app: appId, error }, 'the limits of an app could not be set; Davit tries again');
        }
      }
      return undefined;
    },
  };
}
