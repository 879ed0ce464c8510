import type { DockerClient, EngineCall } from './client.ts';

/**
 * Wraps a Docker client for code that does not use the engine adapter.
 * @param demandOpen called before each request; throws EngineUnavailable while requests are not allowed
 */
export function gatedClient(client: DockerClient, demandOpen: () => void): DockerClient {
  return {
    ...client,
    async call<T>(call: EngineCall) {
      demandOpen();
      return client.call<T>(call);
    },
    async stream(call) {
      demandOpen();
      return client.stream(call);
    },
    async hijack(call) {
      demandOpen();
      return client.hijack(call);
    },
  };
}
