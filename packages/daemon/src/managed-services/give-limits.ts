import { DavitError } from '@davit/api';
import { isMemoryInUse } from '../adapters/engine/engine-problem.ts';
import { EngineRefused, EngineUnavailable } from '../adapters/engine/errors.ts';
import { sentence } from '../app-spec/sentence.ts';
import type { OpContext } from '../auth/context.ts';
import type { ManagedServicesDeps } from './deps.ts';
import { applyServiceLimits } from './limits.ts';
import type { ManagedService, ManagedServiceRow } from './managed-service.ts';

/** Maximum time in milliseconds for which a request waits for earlier changes of the same database or object store. */
const TURN_MS = 10_000;

/**
 * Applies changed CPU and memory limits to the running container of a database or object store. If Docker is
 * unavailable, a reconciler applies the limits later.
 * @param otherwise end of the error message if Docker rejects the limits. It says when the limits take effect, for
 * example `at its next start`.
 * @throws DavitError conflict if Docker rejects the limits. The row contains the new limits even after this error.
 */
export async function giveLimits<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  core: B,
  { log }: OpContext,
  kind: ManagedService<R, B>,
  row: R,
  otherwise: string,
): Promise<void> {
  const signal = AbortSignal.timeout(TURN_MS);
  try {
    await applyServiceLimits(kind, core, row.id, signal);
  } catch (error) {
    if (error instanceof EngineRefused)
      throw new DavitError('conflict', refusal(kind.reference(row), error, otherwise), { cause: error });
    if (!(error instanceof EngineUnavailable) && error !== signal.reason) throw error;
    log.warn(
      { [kind.subject]: kind.reference(row), error },
      `the limits of the ${kind.noun} could not be applied; the reconciler tries again`,
    );
  }
}

function refusal(reference: string, error: EngineRefused, otherwise: string): string {
  return isMemoryInUse(error)
    ? `The limits of ${reference} are saved, but it uses more memory than its new limit. They take effect ${otherwise}, or earlier if it uses less memory.`
    : `The limits of ${reference} are saved, but Docker did not accept them now. They take effect ${otherwise}, or earlier if Docker accepts them. ${sentence(error.message)}`;
}
