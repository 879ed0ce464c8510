import { createHash } from 'node:crypto';
import { constants } from 'node:os';
import { EngineProblem } from '../engine-problem.ts';
import { EngineRefused } from '../errors.ts';
import type { Group, GroupMember, Limits } from '../group.ts';
import type { Exit, ObservedInstance } from '../instance.ts';
import { assertFiles, assertOwnName } from '../names.ts';
import type { Probe, ProbeFailure, ProbeResult } from '../probe.ts';
import { assertMemberAddress } from '../subnets.ts';
import type { EventBus } from './bus.ts';
import type { MemoryContainer } from './container.ts';
import type { SimulatedEngineState } from './state.ts';

const KILLED = 137;

export class MemoryInstances {
  readonly #state: SimulatedEngineState;
  readonly #bus: EventBus;
  readonly #davitId: string;
  readonly #now: () => Date;

  constructor(state: SimulatedEngineState, bus: EventBus, davitId: string, now: () => Date) {
    this.#state = state;
    this.#bus = bus;
    this.#davitId = davitId;
    this.#now = now;
  }

  create(group: Group, member: GroupMember): string {
    for (const { name } of [member, ...group.volumes]) assertOwnName(this.#davitId, name);
    assertFiles(group.files);
    const existing = this.byName(member.name);
    if (existing !== undefined) return adopt(existing, group);
    const network = this.#state.networks.get(group.network);
    if (network === undefined)
      throw new EngineRefused(`The container cannot be created, because the network ${group.network} does not exist.`);
    assertMemberAddress(network, member.address);
    const image = this.#state.images.get(group.imageId);
    if (image === undefined)
      throw new EngineRefused(`The container cannot be created, because the image ${group.imageId} does not exist.`);
    const { kind, app, deployment, imageId, command, args, limits, stopSignal, volumes, tcpPorts } = group;
    const env = { ...group.env, ...member.env };
    const files = group.files.map((file) => ({ ...file }));
    const settings = {
      kind,
      app,
      deployment,
      imageId,
      env,
      command,
      args,
      limits,
      stopSignal,
      volumes,
      tcpPorts,
      files,
    };
    const { name, address } = member;
    return this.add({ ...settings, name, address, network: group.network, behaviour: image.behaviour }).id;
  }

  add(definition: NewContainer): MemoryContainer {
    const container: MemoryContainer = {
      ...definition,
      id: createHash('sha256')
        .update(`container ${this.#state.nextId++}`)
        .digest('hex'),
      state: 'created',
      exitCode: null,
      oomKilled: false,
      restarts: 0,
      startedAt: null,
      restartPolicy: 'no',
      probes: 0,
      logs: [],
    };
    this.#state.containers.set(container.id, container);
    this.#emit(container, 'create');
    return container;
  }

  start(id: string): void {
    const container = this.#get(id, 'start container');
    if (container.state === 'running') return;
    if (container.state === 'paused') {
      this.#unpause(container);
      return;
    }
    this.#assertFree(container);
    container.state = 'running';
    container.oomKilled = false;
    container.startedAt = this.#now();
    container.probes = 0;
    for (const { stream, line } of container.behaviour.lines) container.logs.push({ at: this.#now(), stream, line });
    this.#emit(container, 'start');
    const { exit } = container.behaviour;
    if (exit !== null) setImmediate(() => this.end(id, exit));
  }

  /** Pauses a running simulated container, like `docker pause`. */
  freeze(id: string): void {
    const container = this.#get(id, 'pause container');
    if (container.state !== 'running')
      throw new EngineRefused(`The container ${container.name} cannot be paused, because it is not running.`);
    container.state = 'paused';
    this.#emit(container, 'pause');
  }

  #unpause(container: MemoryContainer): void {
    container.state = 'running';
    this.#emit(container, 'unpause');
  }

  keepRunning(id: string): void {
    this.#get(id, 'update container').restartPolicy = 'unless-stopped';
  }

  /**
   * Ends a running simulated container as if its process exited. A container with the restart policy `unless-stopped`
   * starts again.
   */
  end(id: string, exit: Exit): void {
    const container = this.#state.containers.get(id);
    if (container?.state !== 'running') return;
    this.#stopped(container, exit);
    if (container.restartPolicy === 'no') return;
    container.restarts += 1;
    container.state = 'restarting';
    /*
     * If a container exits after every start, the simulation keeps it in the state `restarting`. Tests can then see
     * this state.
     */
    if (container.behaviour.exit === null) this.start(id);
  }

  stop(id: string, signal: string): void {
    const container = this.#find(id);
    if (container === undefined) return;
    container.restartPolicy = 'no';
    if (container.state === 'restarting') container.state = 'exited';
    if (container.state !== 'running' && container.state !== 'paused') return;
    const byNumber = 128 + (constants.signals[signal as NodeJS.Signals] ?? constants.signals.SIGTERM);
    this.#stopped(container, { exitCode: container.behaviour.ignoresStop ? KILLED : byNumber, oomKilled: false });
  }

  remove(id: string): void {
    const container = this.#find(id);
    if (container === undefined) return;
    if (container.state === 'running') this.#stopped(container, { exitCode: KILLED, oomKilled: false });
    this.#state.containers.delete(container.id);
    this.#emit(container, 'destroy');
  }

  setLimits(id: string, limits: Limits): void {
    this.#get(id, 'update container').limits = { ...limits };
  }

  async waitExit(id: string, signal: AbortSignal): Promise<Exit> {
    signal.throwIfAborted();
    const container = this.#get(id, 'wait for container');
    while (container.state === 'running') await this.#bus.next(signal);
    return { exitCode: container.exitCode ?? 0, oomKilled: container.oomKilled };
  }

  probe(id: string, probe: Probe): ProbeResult {
    const container = this.#state.containers.get(id);
    if (container?.state !== 'running') return { ok: false, reason: 'the container is not running' };
    container.probes += 1;
    // A failed HEALTHCHECK command does not tell whether a port is closed, so the result has no field `isPortClosed`.
    const refused: ProbeFailure = {
      ok: false,
      reason: 'connection refused',
      ...(probe.kind !== 'command' && { isPortClosed: true }),
    };
    // If a simulated container always exits, the health check fails, because no program listens on a port.
    if (container.behaviour.exit !== null) return refused;
    if (container.probes <= container.behaviour.failingProbes) return refused;
    if (probe.kind === 'command') return { ok: true };
    const ports = this.#state.images.get(container.imageId)?.exposedPorts ?? [];
    if (ports.length > 0 && !ports.includes(probe.port)) return refused;
    if (probe.kind === 'tcp') return { ok: true };
    const { httpStatus } = container.behaviour;
    if (httpStatus >= 200 && httpStatus < 300) return { ok: true };
    return { ok: false, reason: `GET ${probe.path} returned status ${httpStatus}` };
  }

  observe(): ObservedInstance[] {
    return [...this.#state.containers.values()].map((container) => {
      const { id, name, kind, app, deployment, state, exitCode, oomKilled, restarts, startedAt } = container;
      const address = container.address;
      const connected = !container.isCutOff || state !== 'running';
      return { id, name, kind, app, deployment, state, exitCode, oomKilled, restarts, address, connected, startedAt };
    });
  }

  byName(name: string): MemoryContainer | undefined {
    return [...this.#state.containers.values()].find((container) => container.name === name);
  }

  #stopped(container: MemoryContainer, exit: Exit): void {
    container.state = 'exited';
    container.exitCode = exit.exitCode;
    container.oomKilled = exit.oomKilled;
    if (exit.oomKilled) this.#emit(container, 'oom');
    this.#emit(container, 'die');
  }

  #assertFree(container: MemoryContainer): void {
    for (const other of this.#state.containers.values()) {
      if (other === container || other.state !== 'running') continue;
      if (other.network === container.network && other.address !== null && other.address === container.address) {
        throw new EngineProblem('port_taken', 'start container', `${container.address} is in use by ${other.name}`);
      }
      const taken = other.tcpPorts.find((a) => container.tcpPorts.some((b) => a.hostPort === b.hostPort));
      if (taken !== undefined) {
        throw new EngineProblem('port_taken', 'start container', `port ${taken.hostPort} is in use by ${other.name}`);
      }
    }
  }

  #find(id: string): MemoryContainer | undefined {
    return this.#state.containers.get(id) ?? this.byName(id);
  }

  #get(id: string, doing: string): MemoryContainer {
    const container = this.#find(id);
    if (container === undefined) throw new EngineRefused(`Docker has no container ${id} (${doing}).`);
    return container;
  }

  #emit(container: MemoryContainer, action: string): void {
    this.#bus.emit({ kind: 'changed', id: container.id, name: container.name, action });
  }
}

export type NewContainer = Omit<
  MemoryContainer,
  'id' | 'state' | 'exitCode' | 'oomKilled' | 'restarts' | 'startedAt' | 'restartPolicy' | 'probes' | 'logs'
>;

/**
 * Returns the id of an existing container of the same app and deployment. If the container has never started, its files
 * are replaced.
 * @throws EngineRefused for another app or deployment
 */
function adopt(existing: MemoryContainer, { kind, app, deployment, files }: Group): string {
  const isSame = existing.kind === kind && existing.deployment === deployment;
  if (isSame && (deployment !== null || existing.app === app)) {
    if (existing.state === 'created') existing.files = files.map((file) => ({ ...file }));
    return existing.id;
  }
  const owner = existing.deployment === null ? `${existing.kind} ${existing.app}` : `deployment ${existing.deployment}`;
  const wanted = deployment === null ? `${kind} ${app}` : `deployment ${deployment}`;
  throw new EngineRefused(
    `The container for ${wanted} cannot be created, because the container of ${owner} already has the name ${existing.name}.`,
  );
}
