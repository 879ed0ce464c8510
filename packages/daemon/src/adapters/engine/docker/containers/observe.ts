import type { ContainerInfo, ContainerInspectInfo } from 'dockerode';
import type { InstanceState, ObservedInstance } from '../../instance.ts';
import type { ObjectKind } from '../../labels.ts';
import { LABEL } from '../../labels.ts';
import type { DockerContext } from '../context.ts';
import { ownFilter } from '../context.ts';
import type { DockerInstances } from './instances.ts';
import { containerAddress } from './instances.ts';

/** Maximum number of concurrent inspect requests. Docker would queue additional requests. */
const CONCURRENCY = 8;

const STATES: readonly string[] = ['created', 'running', 'restarting', 'paused', 'exited', 'dead'];

/**
 * Reads the state of all containers of this Davit instance. Docker's container list lacks exit codes and restart
 * counts, so the code also inspects each container.
 *
 * Inspect results are cached while Docker's event stream is open. An event about a container deletes the cached result.
 * The cached result is also deleted if the container list shows another state.
 */
export class DockerObserver {
  readonly #context: DockerContext;
  readonly #instances: DockerInstances;
  readonly #seen = new Map<string, ObservedInstance>();
  #streams = 0;
  /**
   * Number of container changes since the daemon started. If this number changes during an inspect request, the inspect
   * result is not cached.
   */
  #changes = 0;

  constructor(context: DockerContext, instances: DockerInstances) {
    this.#context = context;
    this.#instances = instances;
  }

  /**
   * Enables the cache of inspect results. The cache stays correct, because Docker's event stream reports all later
   * changes.
   */
  streamOpened(): void {
    this.#streams += 1;
    this.changed(null);
  }

  streamClosed(): void {
    this.#streams -= 1;
    this.changed(null);
  }

  /**
   * Deletes the cached inspect result of a container. If `id` is `null`, deletes the cached results of all containers.
   */
  changed(id: string | null): void {
    this.#changes += 1;
    if (id === null) this.#seen.clear();
    else this.#seen.delete(id);
  }

  /** Deletes all cached data of a removed container. */
  gone(id: string): void {
    this.changed(id);
    this.#instances.forget(id);
  }

  async observe(signal?: AbortSignal): Promise<ObservedInstance[]> {
    const query = { all: true, filters: ownFilter(this.#context.davitId) };
    const call = { doing: 'list containers', path: '/containers/json', query, signal };
    const listed = (await this.#context.client.call<ContainerInfo[]>(call)).filter(isObserved);
    const found: (ObservedInstance | null)[] = listed.map((container) => this.#known(container));
    const missing = found.flatMap((instance, index) => (instance === null ? [index] : []));
    const work = async () => {
      for (let index = missing.shift(); index !== undefined; index = missing.shift()) {
        const id = listed[index]?.Id;
        if (id !== undefined) found[index] = await this.#inspect(id, signal);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    /*
     * Docker sends no event when a container loses its network. The field `connected` therefore comes from the
     * container list.
     */
    return found.flatMap((instance, index) =>
      instance === null ? [] : [{ ...instance, connected: isConnected(listed[index]) }],
    );
  }

  #known(container: ContainerInfo): ObservedInstance | null {
    const seen = this.#streams > 0 ? this.#seen.get(container.Id) : undefined;
    return seen !== undefined && seen.state === container.State ? seen : null;
  }

  async #inspect(id: string, signal: AbortSignal | undefined): Promise<ObservedInstance | null> {
    const before = this.#changes;
    const info = await this.#instances.inspect(id, signal);
    if (info === null) return null;
    const instance = observedOf(info);
    if (this.#streams > 0 && this.#changes === before) this.#seen.set(id, instance);
    return instance;
  }
}

/** Kinds of containers whose state the daemon reads. The list excludes containers of Davit itself, such as HAProxy. */
const OBSERVED: readonly ObjectKind[] = ['app', 'release', 'run', 'database', 'store'];

function isObserved(container: ContainerInfo): boolean {
  return OBSERVED.some((kind) => kind === container.Labels[LABEL.kind]);
}

/** Returns whether a container has an IP address, or is stopped and needs no IP address. */
function isConnected(container: ContainerInfo | undefined): boolean {
  if (container?.State !== 'running') return true;
  return Object.values(container.NetworkSettings?.Networks ?? {}).some(({ IPAddress }) => IPAddress !== '');
}

function observedOf(info: ContainerInspectInfo): ObservedInstance {
  const { State: state, Config: config } = info;
  const labels = config.Labels;
  const deployment = labels[LABEL.deployment];
  return {
    id: info.Id,
    name: info.Name.replace(/^\//, ''),
    kind: labels[LABEL.kind] as ObjectKind,
    app: labels[LABEL.app] ?? null,
    deployment: deployment === undefined ? null : Number(deployment),
    state: stateOf(state.Status),
    // The exit code of a running container is `null`, because Docker reports 0 instead of the last exit code.
    exitCode: state.Running || dateOf(state.FinishedAt) === null ? null : state.ExitCode,
    oomKilled: state.OOMKilled,
    restarts: info.RestartCount,
    address: containerAddress(info),
    connected: true,
    startedAt: dateOf(state.StartedAt),
  };
}

/**
 * Converts Docker's container state. The state `removing` becomes `dead`, because the container will soon be removed.
 */
function stateOf(status: string): InstanceState {
  return STATES.includes(status) ? (status as InstanceState) : 'dead';
}

/** Parses a date from Docker. Docker uses the year 1 for a missing date, which becomes `null`. */
function dateOf(text: string): Date | null {
  return text === '' || text.startsWith('0001-') ? null : new Date(text);
}
