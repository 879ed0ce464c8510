import type { ContainerInfo, ContainerInspectInfo } from 'dockerode';
import type { InstanceState, ObservedInstance } from '../../instance.ts';
import type { ObjectKind } from '../../labels.ts';
import { LABEL } from '../../labels.ts';
import type { DockerContext } from '../context.ts';
import { ownFilter } from '../context.ts';
import type { DockerInstances } from './instances.ts';
import { containerAddress } from './instances.ts';

/** Inspections at the same time: more would only queue inside the engine. */
const CONCURRENCY = 8;

const STATES: readonly string[] = ['created', 'running', 'restarting', 'paused', 'exited', 'dead'];

/**
 * All containers of ours. The engine's list lacks exit codes and restarts, so each container is inspected; what was seen
 * is kept while an event stream is open that would tell of a change, and looked at again when the list disagrees.
 */
export class DockerObserver {
  readonly #context: DockerContext;
  readonly #instances: DockerInstances;
  readonly #seen = new Map<string, ObservedInstance>();
  #streams = 0;
  /** Counts changes: what was asked for before a change is not kept after it. */
  #changes = 0;

  constructor(context: DockerContext, instances: DockerInstances) {
    this.#context = context;
    this.#instances = instances;
  }

  /** An event stream has opened; from now on changes are told. */
  streamOpened(): void {
    this.#streams += 1;
    this.changed(null);
  }

  streamClosed(): void {
    this.#streams -= 1;
    this.changed(null);
  }

  /** Something happened to a container; null: to any. */
  changed(id: string | null): void {
    this.#changes += 1;
    if (id === null) this.#seen.clear();
    else this.#seen.delete(id);
  }

  /** A container was removed, by whomever: nothing about it is worth keeping. */
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
    // From the list, which is new: that a network was taken away is no event of the container.
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

/** Apart from what the platform itself runs. */
const OBSERVED: readonly ObjectKind[] = ['app', 'release', 'run', 'database', 'store'];

function isObserved(container: ContainerInfo): boolean {
  return OBSERVED.some((kind) => kind === container.Labels[LABEL.kind]);
}

/** A container that runs has an address on its network. */
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
    // While it runs, the engine reports 0 and has forgotten the last one.
    exitCode: state.Running || dateOf(state.FinishedAt) === null ? null : state.ExitCode,
    oomKilled: state.OOMKilled,
    restarts: info.RestartCount,
    address: containerAddress(info),
    connected: true,
    startedAt: dateOf(state.StartedAt),
  };
}

/** `removing` is what a container is for a moment before it is gone. */
function stateOf(status: string): InstanceState {
  return STATES.includes(status) ? (status as InstanceState) : 'dead';
}

/** The engine says «never» with the first day of year 1. */
function dateOf(text: string): Date | null {
  return text === '' || text.startsWith('0001-') ? null : new Date(text);
}
