import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { Cancelled, DeployFailed } from './work.ts';

/** What a failure of a deployment says to users; `null` if its text is internal, which only the log has. */
export function deploymentFailureReason(failure: unknown): string | null {
  if (failure instanceof Cancelled) return 'Cancelled.';
  if (failure instanceof DeployFailed) return failure.message;
  return failure instanceof EngineRefused || failure instanceof EngineUnavailable ? sentence(failure.message) : null;
}
