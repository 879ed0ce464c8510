import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { Cancelled, DeployFailed } from './work.ts';

/**
 * Returns the reason why a deployment failed, as text for users. For an internal error, returns `null`, because users
 * must not see internal errors.
 */
export function deploymentFailureReason(failure: unknown): string | null {
  if (failure instanceof Cancelled) return 'The deployment was canceled.';
  if (failure instanceof DeployFailed) return failure.message;
  return failure instanceof EngineRefused || failure instanceof EngineUnavailable ? sentence(failure.message) : null;
}
