import { DavitError } from '@davit/api';
import type { OpContext } from '../context.ts';
import { EngineRefused, EngineUnavailable } from '../engine/errors.ts';
import type { Limits } from '../engine/group.ts';
import type { Core } from './core.ts';

/** The container of something that the instance runs, and how it is called. */
export interface Limited {
  container: string;
  kind: 'database' | 'store';
  name: string;
  limits: Limits;
  /** As in «act …». */
  otherwise: string;
}

/**
 * Gives limits that are on record already to what runs. What the engine does not take now it gets with its next container.
 * @throws DavitError conflict saying so, with the engine's words
 */
export async function giveLimits({ engine }: Core, { log }: OpContext, limited: Limited): Promise<void> {
  const { container, kind, name, limits, otherwise } = limited;
  try {
    await engine.setLimits(container, limits);
  } catch (error) {
    if (error instanceof EngineRefused) {
      const message = `Saved, but the limits act ${otherwise}: ${error.message}.`;
      throw new DavitError('conflict', message, { cause: error });
    }
    if (!(error instanceof EngineUnavailable)) throw error;
    log.warn({ [kind]: name, error }, `the limits of a ${kind} act ${otherwise}`);
  }
}
