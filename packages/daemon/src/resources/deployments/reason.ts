import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { Cancelled, DeployFailed } from './work.ts';

/**
 * Returns the reason why a deployment failed, as text for users. Returns `null` for an internal error, because users
 * must not see it.
 */
export function deploymentFailureReason(failure: unknown): string | null {
  if (failure instanceof Cancelled) return 'The deployment was canceled.';
  if (failure instanceof DeployFailed) return failure.message;
  return failure instanceof EngineRefused || failure instanceof EngineUnavailable ? sentence(failure.message) : null;
}
