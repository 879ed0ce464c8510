import type { DockerClient, EngineCall } from './client.ts';

/**
 * Wraps a Docker client so that each request first calls `demandOpen`. This is for code that sends requests to Docker
 * without the `Engine` interface.
 * @param demandOpen function that throws EngineUnavailable while requests to Docker are not allowed
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
