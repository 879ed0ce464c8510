import type { EngineInfo } from '../../engine.ts';
import type { DockerContext } from '../context.ts';

const INFO_TIMEOUT_MS = 2000;

/** Default amount of memory in bytes that is reserved for the daemon, HAProxy, the registry and Docker. */
const PLATFORM_RESERVE_BYTES = 768 * 1024 ** 2;

interface DockerInfo {
  ID: string;
  ServerVersion: string;
  NCPU: number;
  MemTotal: number;
}

/** Number of CPU cores and memory in bytes of the server on which Docker runs. */
export class ServerCapacity {
  readonly #context: DockerContext;
  readonly #reserveBytes: number;
  #last: EngineInfo | null = null;

  constructor(context: DockerContext, reserveBytes = PLATFORM_RESERVE_BYTES) {
    this.#context = context;
    this.#reserveBytes = reserveBytes;
  }

  async info(signal?: AbortSignal): Promise<EngineInfo> {
    const call = { doing: 'read the system information of Docker', path: '/info', timeoutMs: INFO_TIMEOUT_MS, signal };
    const info = await this.#context.client.call<DockerInfo>(call);
    this.#last = { id: info.ID, version: info.ServerVersion, cpus: info.NCPU, memoryBytes: info.MemTotal };
    return this.#last;
  }

  async cpus(): Promise<number> {
    return (this.#last ?? (await this.info())).cpus;
  }

  /**
   * Returns the default memory limit of containers in bytes. The limit is the server's memory minus Davit's reserve,
   * but at least half of the server's memory.
   */
  async defaultMemoryBytes(): Promise<number> {
    const { memoryBytes } = this.#last ?? (await this.info());
    return Math.max(memoryBytes - this.#reserveBytes, Math.floor(memoryBytes / 2));
  }
}
