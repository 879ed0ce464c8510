import type { RegistryAuth } from '../engine.ts';
import type { DockerContext } from './context.ts';

/** Asks a registry through the engine whether it takes these credentials. */
export async function checkRegistry(
  _context: DockerContext,
  _host: string,
  _auth: RegistryAuth,
  _signal: AbortSignal,
): Promise<void> {
  throw new Error('not made yet');
}
