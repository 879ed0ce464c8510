import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { Cancelled, DeployFailed } from './work.ts';

/**
 * Returns the reason of a failed deployment for users. `null` if the error is internal, so that only the log may
 * contain it.
 */
export function deploymentFailureReason(failure: unknown): string | null {
  if (failure instanceof Cancelled) return 'The deployment was canceled.';
  if (failure instanceof DeployFailed) return failure.message;
  return failure instanceof EngineRefused || failure instanceof EngineUnavailable ? sentence(failure.message) : null;
}
