import type { DockerClient, EngineCall } from './client.ts';

/**
 * Returns a Docker client that calls `demandOpen` before each request. Code that does not use the `Engine` interface
 * needs this client.
 * @param demandOpen throws EngineUnavailable while requests are not allowed
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
