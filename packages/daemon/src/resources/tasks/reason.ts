import { DavitError } from '@davit/api';
import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { sealRefusal } from '../../app-spec/unsealed.ts';
import { SealBroken } from '../../db/seal.ts';
import { TaskCancelled } from './cancelled.ts';
import { TaskFailed } from './kind.ts';

/**
 * Returns the reason of a failed task for users. Returns `null` for an internal error, because only the daemon's log
 * may contain such an error.
 */
export function taskFailureReason(failure: unknown): string | null {
  if (failure instanceof TaskCancelled || failure instanceof TaskFailed || failure instanceof DavitError)
    return failure.message;
  if (failure instanceof SealBroken) return sealRefusal(failure).message;
  return failure instanceof EngineRefused || failure instanceof EngineUnavailable ? sentence(failure.message) : null;
}
