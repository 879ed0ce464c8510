import { createHash } from 'node:crypto';
import type { NetworkInspectInfo } from 'dockerode';
import { EngineRefused } from '../../errors.ts';
import { LABEL } from '../../labels.ts';
import { bridgePrefix, namePrefix } from '../../names.ts';
import type { Network } from '../../network.ts';
import { cidrRange, dottedAddress, dynamicRange, networkFromSubnet } from '../../subnets.ts';
import { ignoringGone, isRefusedIn, isStatus } from '../client/errors.ts';
import type { DockerContext } from '../context.ts';
import { ownFilter } from '../context.ts';
import { routedRanges } from './routes.ts';

const SUBNET_SIZE = 256;

/** Docker network option that sets the name of the Linux bridge. */
const BRIDGE_NAME = 'com.docker.network.bridge.name';

/** Docker networks of this Davit instance. Each network gets a /24 subnet from the address pool. */
export class DockerNetworks {
  readonly #context: DockerContext;
  readonly #pool: { first: number; last: number };
  readonly #known = new Map<string, Network>();
  /**
   * Promise of the last queued network creation. Networks are created one at a time, because concurrent requests could
   * use the same subnet or name.
   */
  #creating: Promise<unknown> = Promise.resolve();

  /** @param pool address pool in CIDR form, for example `10.208.0.0/12` */
  constructor(context: DockerContext, pool: string) {
    this.#context = context;
    this.#pool = cidrRange(pool);
    if (this.#pool.last - this.#pool.first + 1 < SUBNET_SIZE)
      throw new TypeError(`The network pool ${pool} is smaller than a /24 network.`);
  }

  /**
   * Finds or creates a Docker network. The result field `connected` contains the names of the containers on the
   * network.
   */
  async ensure(name: string): Promise<{ network: Network; connected: string[] }> {
    this.#assertName(name);
    const work = this.#creating.then(async () => (await this.#find(name)) ?? (await this.#create(name)));
    this.#creating = work.catch(() => undefined);
    return work;
  }

  /**
   * Returns a Docker network by name, from the cache or from Docker.
   * @throws EngineRefused if the network does not exist
   */
  async get(name: string): Promise<Network> {
    const known = this.#known.get(name) ?? (await this.#find(name))?.network;
    if (known === undefined)
      throw new EngineRefused(`The container cannot be created, because the network ${name} does not exist.`);
    return known;
  }

  /**
   * Finds a network in Docker. Returns `null` if the network does not exist.
   * @throws EngineRefused if the network does not belong to this Davit instance
   */
  async find(name: string): Promise<{ network: Network; connected: string[] } | null> {
    this.#assertName(name);
    return this.#find(name);
  }

  /**
   * Removes a Docker network by name. The caller must first check with `find` that the network belongs to this Davit
   * instance.
   */
  async remove(name: string): Promise<void> {
    this.#known.delete(name);
    const call = { doing: 'remove network', method: 'DELETE', path: `/networks/${name}` } as const;
    await ignoringGone(this.#context.client.call(call));
  }

  async list(): Promise<Network[]> {
    const query = { filters: ownFilter(this.#context.davitId) };
    const call = { doing: 'list networks', path: '/networks', query };
    const found = await this.#context.client.call<NetworkInspectInfo[]>(call);
    return found.map(toNetwork).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Returns the Linux bridge names of Docker networks that do not belong to this Davit instance. */
  async bridgesOfOthers(): Promise<string[]> {
    const call = { doing: 'list networks', path: '/networks', query: { filters: { driver: ['bridge'] } } };
    const found = await this.#context.client.call<NetworkInspectInfo[]>(call);
    const others = found.filter(({ Labels }) => Labels?.[LABEL.instance] !== this.#context.davitId);
    return others.map(({ Id, Options }) => Options?.[BRIDGE_NAME] ?? `br-${Id.slice(0, 12)}`);
  }

  async #find(name: string): Promise<{ network: Network; connected: string[] } | null> {
    try {
      const call = { doing: 'inspect network', path: `/networks/${name}` };
      const info = await this.#context.client.call<NetworkInspectInfo>(call);
      if (info.Labels?.[LABEL.instance] !== this.#context.davitId) {
        throw new EngineRefused(
          `Another program created the network ${name}, whose name this instance needs. Remove the network.`,
        );
      }
      const network = toNetwork(info);
      this.#known.set(name, network);
      return { network, connected: Object.values(info.Containers ?? {}).map((container) => container.Name) };
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw error;
    }
  }

  async #create(name: string): Promise<{ network: Network; connected: string[] }> {
    const routed = await routedRanges();
    const count = Math.floor((this.#pool.last - this.#pool.first + 1) / SUBNET_SIZE);
    const start = createHash('sha256').update(`${this.#context.davitId} ${name}`).digest().readUInt32BE() % count;
    for (let tried = 0; tried < count; tried++) {
      const index = (start + tried) % count;
      const first = this.#pool.first + index * SUBNET_SIZE;
      if (routed.some((range) => range.first < first + SUBNET_SIZE && range.last >= first)) continue;
      const network = await this.#claim(name, `${dottedAddress(first)}/24`, index);
      if (network !== null) return { network, connected: [] };
    }
    throw new EngineRefused(
      'The network cannot be created, because all subnets of the network pool are in use. Set DAVIT_NETWORK_POOL to a larger network.',
    );
  }

  /** Creates a network with the given subnet. Returns `null` if another network already uses the subnet. */
  async #claim(name: string, subnet: string, index: number): Promise<Network | null> {
    const network = networkFromSubnet(name, subnet);
    const { davitId, client } = this.#context;
    const body = {
      Name: name,
      CheckDuplicate: true,
      Driver: 'bridge',
      IPAM: { Config: [{ Subnet: subnet, Gateway: network.gateway, IPRange: dynamicRange(subnet) }] },
      // The bridge name contains the subnet number. A bridge name must be unique and have at most 15 characters.
      Options: { [BRIDGE_NAME]: `${bridgePrefix(davitId)}${index.toString(36)}` },
      Labels: { [LABEL.instance]: davitId, [LABEL.kind]: 'network' },
    };
    try {
      await client.call({ doing: 'create network', method: 'POST', path: '/networks/create', body });
    } catch (error) {
      if (isRefusedIn(error, 'subnet_taken')) return null;
      throw error;
    }
    this.#known.set(name, network);
    return network;
  }

  #assertName(name: string): void {
    if (name.startsWith(namePrefix(this.#context.davitId)) && /^[a-z0-9-]+$/.test(name)) return;
    throw new EngineRefused(`This instance did not create the network ${name}.`);
  }
}

function toNetwork(info: NetworkInspectInfo): Network {
  return networkFromSubnet(info.Name, info.IPAM?.Config?.[0]?.Subnet ?? '');
}
