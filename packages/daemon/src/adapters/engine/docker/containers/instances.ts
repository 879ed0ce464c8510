import type { ContainerInspectInfo } from 'dockerode';
import { EngineRefused } from '../../errors.ts';
import type { Group, GroupMember, Limits } from '../../group.ts';
import { LABEL } from '../../labels.ts';
import { assertFiles, assertOwnName } from '../../names.ts';
import { assertMemberAddress, namesAddress } from '../../subnets.ts';
import { SLOW_CALL_MS } from '../client/client.ts';
import { isStatus } from '../client/errors.ts';
import type { DockerContext } from '../context.ts';
import type { DockerNetworks } from '../networks/networks.ts';
import { upstreamServers } from '../networks/upstream.ts';
import type { ServerCapacity } from '../usage/server-capacity.ts';
import type { CreateRequest, Placement } from './create-request.ts';
import { instanceRequest, limitFields } from './create-request.ts';
import { putFiles } from './files.ts';

/** Properties of a container that never change. The Docker adapter caches these properties after the first request. */
export interface Facts {
  imageId: string;
  address: string | null;
  stopSignal: string;
}

/** Creates, starts, updates and inspects containers. The code that stops and removes containers is in `ending.ts`. */
export class DockerInstances {
  readonly #context: DockerContext;
  readonly #networks: DockerNetworks;
  readonly #machine: ServerCapacity;
  readonly #facts = new Map<string, Facts>();

  constructor(context: DockerContext, networks: DockerNetworks, machine: ServerCapacity) {
    this.#context = context;
    this.#networks = networks;
    this.#machine = machine;
  }

  /**
   * Creates all containers of a group concurrently. If one request fails, the method waits for the other requests
   * before it throws the first error.
   */
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
      /*
       * An earlier call may have created the container but failed before it wrote the files. In this case, the files
       * are written now.
       */
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

  /**
   * Creates a container. If a container with the same name and owner already exists, returns the existing container.
   * @throws EngineRefused if the container name belongs to another owner
   */
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
      // Docker reported a name conflict, but the container with this name no longer exists. Docker's error is thrown.
      if (existing === null) throw error;
      const [owner, wanted] = [ownerOf(existing.Config.Labels), ownerOf(body.Labels)];
      if (owner === wanted) return existing.Id;
      throw new EngineRefused(
        `The container for ${wanted} cannot be created, because the container of ${owner} already has the name ${name}.`,
      );
    }
  }

  async start(id: string, signal?: AbortSignal): Promise<void> {
    await this.facts(id, 'start container');
    const call = { doing: 'start container', method: 'POST', path: `/containers/${id}/start` } as const;
    try {
      await this.#context.client.call({ ...call, fresh: true, signal, timeoutMs: SLOW_CALL_MS });
    } catch (error) {
      /*
       * Status 409 means that the container is paused or is being removed. If the container is being removed, `unpause`
       * fails too.
       */
      if (!isStatus(error, 409)) throw error;
      const path = `/containers/${id}/unpause`;
      await this.#context.client.call({ doing: 'unpause container', method: 'POST', path, signal });
    }
  }

  async keepRunning(id: string): Promise<void> {
    await this.facts(id, 'update container');
    await this.update(id, { RestartPolicy: { Name: 'unless-stopped' } });
  }

  async setLimits(id: string, limits: Limits): Promise<void> {
    await this.facts(id, 'update container');
    const fields = limitFields(limits, await this.#machine.defaultMemoryBytes());
    // Docker cannot remove a CPU limit from a container. Davit therefore sets the limit to the number of all CPU cores.
    const cores = limits.cpu === null ? { NanoCpus: (await this.#machine.cpus()) * 1e9 } : {};
    await this.update(id, { ...fields, ...cores });
  }

  /**
   * Returns the properties of a container that never change, such as its image.
   * @throws EngineRefused if the container does not exist or does not belong to this Davit instance
   */
  async facts(id: string, doing: string, signal?: AbortSignal): Promise<Facts> {
    const facts = await this.findFacts(id, signal);
    if (facts === null) throw new EngineRefused(`Docker has no container ${id} (${doing}).`);
    return facts;
  }

  async findFacts(id: string, signal?: AbortSignal): Promise<Facts | null> {
    const known = this.#facts.get(id);
    if (known !== undefined) return known;
    const info = await this.inspect(id, signal);
    if (info === null) return null;
    // Docker returns the field `StopSignal`, but the TypeScript types of the Docker client library lack the field.
    const { StopSignal: stopSignal = 'SIGTERM' } = info.Config as { StopSignal?: string };
    const facts = { imageId: info.Image, address: containerAddress(info), stopSignal };
    this.#facts.set(id, facts);
    return facts;
  }

  forget(id: string): void {
    this.#facts.delete(id);
  }

  /**
   * Inspects a container by id or name. Returns `null` if the container does not exist.
   * @throws EngineRefused if the container does not belong to this Davit instance
   */
  async inspect(id: string, signal?: AbortSignal): Promise<ContainerInspectInfo | null> {
    assertId(id);
    try {
      const call = { doing: 'inspect container', path: `/containers/${id}/json`, signal };
      const info = await this.#context.client.call<ContainerInspectInfo>(call);
      if (info.Config.Labels?.[LABEL.instance] === this.#context.davitId) return info;
      throw new EngineRefused(
        `Another program created the container ${info.Name}, whose name this instance needs. Remove or rename the container.`,
      );
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw error;
    }
  }

  /** Updates a container with `POST /containers/{id}/update`, for example its limits or its restart policy. */
  async update(id: string, body: object): Promise<void> {
    const path = `/containers/${id}/update`;
    await this.#context.client.call({ doing: 'update container', method: 'POST', path, body });
  }
}

/**
 * Returns the fixed IPv4 address of a container. If no address is fixed, returns the current address, which only a
 * running container has.
 */
export function containerAddress(info: ContainerInspectInfo): string | null {
  const [endpoint] = Object.values(info.NetworkSettings.Networks);
  return endpoint?.IPAMConfig?.IPv4Address || endpoint?.IPAddress || null;
}

/**
 * Returns text for error messages that names the owner of a container, for example `deployment 12` or `database
 * shop/production/db`.
 */
function ownerOf(labels: Record<string, string>): string {
  const { [LABEL.deployment]: deployment, [LABEL.kind]: kind, [LABEL.app]: app } = labels;
  return deployment === undefined ? `${kind} ${app}` : `${kind === 'app' ? '' : `${kind} of `}deployment ${deployment}`;
}

function assertId(id: string): void {
  if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(id))
    throw new EngineRefused(`${JSON.stringify(id)} is not a valid name or ID of a container.`);
}
