import type { DockerClient, EngineCall } from './client.ts';

/**
 * Returns a client for code that uses the engine without its adapter.
 * @param demandOpen throws EngineUnavailable while no requests may be sent
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
