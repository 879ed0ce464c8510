import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerInspectInfo } from 'dockerode';
import { EngineRefused, EngineUnavailable } from '../errors.ts';
import type { Group, GroupMember, Limits } from '../group.ts';
import type { Exit } from '../instance.ts';
import { LABEL } from '../labels.ts';
import { assertFiles, assertOwnName } from '../names.ts';
import { assertMemberAddress, namesAddress } from '../subnets.ts';
import type { DockerContext } from './context.ts';
import type { CreateRequest, Placement } from './create-request.ts';
import { instanceRequest, limitFields } from './create-request.ts';
import { isStatus } from './errors.ts';
import { putFiles } from './files.ts';
import type { Machine } from './machine.ts';
import type { DockerNetworks } from './networks.ts';
import { readJson } from './read-json.ts';
import { upstreamServers } from './upstream.ts';

/** An engine under load takes its time over these: what they do is bounded, how long is not. */
const SLOW_CALL_MS = 120_000;

/** How long a broken wait stays quiet before it asks again. */
const RETRY_MS = 500;

/** What never changes in the life of a container, so that it is asked once. */
export interface Facts {
  imageId: string;
  address: string | null;
  stopSignal: string;
}

/** The life of containers: from creation to removal. */
export class DockerInstances {
  readonly #context: DockerContext;
  readonly #networks: DockerNetworks;
  readonly #machine: Machine;
  readonly #facts = new Map<string, Facts>();

  constructor(context: DockerContext, networks: DockerNetworks, machine: Machine) {
    this.#context = context;
    this.#networks = networks;
    this.#machine = machine;
  }

  /** All members are tried at the same time; the first failure is thrown when every one has an answer. */
  async createGroup(group: Group, signal?: AbortSignal): Promise<string[]> {
    const network = await this.#networks.get(group.network);
    const { davitId } = this.#context;
    for (const volume of group.volumes) assertOwnName(davitId, volume.name);
    assertFiles(group.files);
    for (const member of group.members) {
      assertOwnName(davitId, member.name);
      assertMemberAddress(network, member.address);
    }
    const placement = await this.placement(network.subnet);
    const create = async (member: GroupMember) => {
      const id = await this.create(member.name, instanceRequest(group, member, placement), signal);
      // Also into one that was made before and is adopted: whoever made it may have died in between.
      if (group.files.length > 0 && (await this.inspect(id, signal))?.State.Status === 'created')
        await putFiles(this.#context, id, group.files, signal);
      this.#facts.set(id, { imageId: group.imageId, address: member.address, stopSignal: group.stopSignal });
      return id;
    };
    const results = await Promise.allSettled(group.members.map(create));
    return results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  async placement(subnet: string): Promise<Placement> {
    const defaultMemoryBytes = await this.#machine.defaultMemoryBytes();
    const dns = [namesAddress(subnet), ...(await upstreamServers())];
    return { davitId: this.#context.davitId, dns, defaultMemoryBytes };
  }

  /** Creates a container, or adopts the one of the same name that is of the same thing. */
  async create(name: string, body: CreateRequest, signal?: AbortSignal): Promise<string> {
    const call = { doing: 'create container', method: 'POST', path: '/containers/create', query: { name } } as const;
    try {
      const created = await this.#context.client.call<{ Id: string }>({
        ...call,
        body,
        signal,
        timeoutMs: SLOW_CALL_MS,
      });
      return created.Id;
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
      const existing = await this.inspect(name);
      // Gone since: the engine's words about the name are all there is to say.
      if (existing === null) throw error;
      const [owner, wanted] = [ownerOf(existing.Config.Labels), ownerOf(body.Labels)];
      if (owner === wanted) return existing.Id;
      throw new EngineRefused(`create container: the name ${name} belongs to ${owner}, not to ${wanted}`);
    }
  }

  async start(id: string, signal?: AbortSignal): Promise<void> {
    await this.facts(id, 'start container');
    const call = { doing: 'start container', method: 'POST', path: `/containers/${id}/start` } as const;
    await this.#context.client.call({ ...call, fresh: true, signal, timeoutMs: SLOW_CALL_MS });
  }

  async keepRunning(id: string): Promise<void> {
    await this.facts(id, 'update container');
    await this.#update(id, { RestartPolicy: { Name: 'unless-stopped' } });
  }

  async setLimits(id: string, limits: Limits): Promise<void> {
    await this.facts(id, 'update container');
    const fields = limitFields(limits, await this.#machine.defaultMemoryBytes());
    // An update cannot take a limit of cores away; all cores are as good as none.
    const cores = limits.cpu === null ? { NanoCpus: (await this.#machine.cpus()) * 1e9 } : {};
    await this.#update(id, { ...fields, ...cores });
  }

  /** Waits at the engine, for a container that is known to be there; when the connection breaks, it asks again. */
  async waitExit(id: string, signal: AbortSignal): Promise<Exit> {
    for (;;) {
      try {
        await this.facts(id, 'wait for container', signal);
        const call = { doing: 'wait for container', method: 'POST', path: `/containers/${id}/wait` } as const;
        // The head comes at once, the body when the container has ended.
        const stream = await this.#context.client.stream({ ...call, query: { condition: 'not-running' }, signal });
        const { StatusCode } = await readJson<{ StatusCode: number }>(stream, call.doing, signal);
        const state = (await this.inspect(id, signal))?.State;
        return { exitCode: StatusCode, oomKilled: state?.OOMKilled ?? false };
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        await delay(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  async stop(id: string, stop: { signal: string; graceS: number }): Promise<void> {
    const facts = await this.findFacts(id);
    if (facts === null) return;
    const t = Math.ceil(stop.graceS);
    if (stop.signal !== facts.stopSignal && !(await this.#signal(id, stop.signal, t))) return;
    const query = { t: stop.signal === facts.stopSignal ? t : 0 };
    const call = { doing: 'stop container', method: 'POST', path: `/containers/${id}/stop` } as const;
    await this.#ignoringGone(this.#context.client.call({ ...call, query, timeoutMs: t * 1000 + SLOW_CALL_MS }));
  }

  async remove(id: string): Promise<void> {
    if ((await this.findFacts(id)) === null) return;
    const call = { doing: 'remove container', method: 'DELETE', path: `/containers/${id}` } as const;
    try {
      // `v`: volumes without a name go with it, named ones stay.
      await this.#context.client.call({ ...call, query: { force: true, v: true }, timeoutMs: SLOW_CALL_MS });
    } catch (error) {
      // 409: another removal is under way; what was asked for is that it is gone.
      if (isStatus(error, 409) && /already in progress/.test(error.message)) await this.#waitRemoved(id);
      else if (!isStatus(error, 404)) throw error;
    }
    this.#facts.delete(id);
  }

  /** The facts of a container of ours. @throws EngineRefused when it is gone or not ours */
  async facts(id: string, doing: string, signal?: AbortSignal): Promise<Facts> {
    const facts = await this.findFacts(id, signal);
    if (facts === null) throw new EngineRefused(`${doing}: there is no container ${id}`);
    return facts;
  }

  async findFacts(id: string, signal?: AbortSignal): Promise<Facts | null> {
    const known = this.#facts.get(id);
    if (known !== undefined) return known;
    const info = await this.inspect(id, signal);
    if (info === null) return null;
    // The client library's types lack the field.
    const { StopSignal: stopSignal = 'SIGTERM' } = info.Config as { StopSignal?: string };
    const facts = { imageId: info.Image, address: addressOf(info), stopSignal };
    this.#facts.set(id, facts);
    return facts;
  }

  forget(id: string): void {
    this.#facts.delete(id);
  }

  /** By id or name; null when it is gone. @throws EngineRefused when it is not ours */
  async inspect(id: string, signal?: AbortSignal): Promise<ContainerInspectInfo | null> {
    assertId(id);
    try {
      const call = { doing: 'inspect container', path: `/containers/${id}/json`, signal };
      const info = await this.#context.client.call<ContainerInspectInfo>(call);
      if (info.Config.Labels?.[LABEL.instance] === this.#context.davitId) return info;
      throw new EngineRefused(`inspect container: ${info.Name} is not this Davit's: remove or rename it`);
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw error;
    }
  }

  async #update(id: string, body: object): Promise<void> {
    const path = `/containers/${id}/update`;
    await this.#context.client.call({ doing: 'update container', method: 'POST', path, body });
  }

  /** Sends a signal that is not the container's own. @returns whether it still runs after `seconds` */
  async #signal(id: string, signal: string, seconds: number): Promise<boolean> {
    try {
      // The engine takes only a container's own signal for a stop, and would start it again after any other.
      await this.#update(id, { RestartPolicy: { Name: 'no' } });
      const path = `/containers/${id}/kill`;
      await this.#context.client.call({ doing: 'stop container', method: 'POST', path, query: { signal } });
    } catch (error) {
      if (isStatus(error, 404)) return false;
      // 409: it is not running, but may be about to be started again.
      if (isStatus(error, 409)) return true;
      throw error;
    }
    const grace = AbortSignal.timeout(seconds * 1000);
    return this.waitExit(id, grace).then(
      () => false,
      (error: unknown) => {
        if (grace.aborted) return true;
        throw error;
      },
    );
  }

  async #waitRemoved(id: string): Promise<void> {
    const call = { doing: 'remove container', method: 'POST', path: `/containers/${id}/wait` } as const;
    const query = { condition: 'removed' };
    await this.#ignoringGone(this.#context.client.call({ ...call, query, timeoutMs: SLOW_CALL_MS }));
  }

  async #ignoringGone(call: Promise<unknown>): Promise<void> {
    try {
      await call;
    } catch (error) {
      if (!isStatus(error, 404)) throw error;
    }
  }
}

/** Its fixed address, which it keeps while it is stopped, else the one it has now. */
export function addressOf(info: ContainerInspectInfo): string | null {
  const [endpoint] = Object.values(info.NetworkSettings.Networks);
  return endpoint?.IPAMConfig?.IPv4Address || endpoint?.IPAddress || null;
}

/** What a container is of, in words: its deployment; the reference, where there is none. */
function ownerOf(labels: Record<string, string>): string {
  const { [LABEL.deployment]: deployment, [LABEL.kind]: kind, [LABEL.app]: app } = labels;
  return deployment === undefined ? `${kind} ${app}` : `${kind === 'app' ? '' : `${kind} of `}deployment ${deployment}`;
}

function assertId(id: string): void {
  if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(id)) throw new EngineRefused(`${JSON.stringify(id)} is not a container`);
}
