import { EngineRefused } from '../errors.ts';
import type { RegistryAuth } from '../image.ts';
import type { DockerContext } from './context.ts';

/** Under which the engine knows Docker Hub. */
const HUB = 'https://index.docker.io/v1/';

/** Asks a registry through the engine whether it takes these credentials: from where and how a pull would ask. */
export async function checkRegistry(
  { client }: DockerContext,
  host: string,
  { username, password }: RegistryAuth,
  signal: AbortSignal,
): Promise<void> {
  const doing = `ask the registry ${host}`;
  const body = { username, password, serveraddress: host === 'docker.io' ? HUB : host };
  try {
    await client.call({ doing, method: 'POST', path: '/auth', body, signal, timeoutMs: null });
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    // A registry may quote what it was asked with. The cause holds the same words, and is dropped with them.
    throw new EngineRefused(error.message.replaceAll(password, '…'));
  }
}
