import { createHash } from 'node:crypto';
import { LABEL } from '../labels.ts';
import { namePrefix } from '../names.ts';
import { namesAddress } from '../subnets.ts';
import type { DockerContext } from './context.ts';
import type { DebianImage } from './debian-image.ts';
import { ensureDebianImage } from './debian-image.ts';
import { removeInstance } from './ending.ts';
import { isStatus } from './errors.ts';
import type { DockerInstances } from './instances.ts';
import type { DockerNetworks } from './networks.ts';

/** The resolver's image. Set-up may build it ahead of the first network. */
export const NAMES_IMAGE: DebianImage = {
  name: 'names',
  packages: ['dnsmasq-base'],
  binaries: ['/usr/sbin/dnsmasq'],
  entrypoint: ['/usr/sbin/dnsmasq'],
  // It looks its user up even when it is that user already.
  files: { '/etc/passwd': 'nobody:x:65534:65534::/:/bin/false\n', '/etc/group': 'nogroup:x:65534:\n' },
};

const ARGUMENTS = [
  '--keep-in-foreground',
  '--user=nobody',
  '--group=nogroup',
  '--pid-file=',
  '--log-facility=-',
  '--no-hosts',
  '--hostsdir=/names',
  '--local=/internal/',
  // A name without a dot is one of ours or none.
  '--domain-needed',
  '--bogus-priv',
  '--cache-size=0',
  '--edns-packet-max=1232',
];

/** What the container was made from; another one replaces it. */
const RECIPE_LABEL = 'davit.recipe';

/** The resolver's container. */
export class NamesContainer {
  readonly name: string;
  readonly #context: DockerContext;
  readonly #instances: DockerInstances;
  readonly #networks: DockerNetworks;
  readonly #folder: string;
  /** One change after the other, as two at once would make it twice. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: DockerContext, instances: DockerInstances, networks: DockerNetworks, folder: string) {
    this.name = `${namePrefix(context.davitId)}names`;
    this.#context = context;
    this.#instances = instances;
    this.#networks = networks;
    this.#folder = folder;
  }

  /** Makes it run as it should and answer on every network; adopts it when it does. */
  ensure(): Promise<void> {
    return this.#serially(() => this.#ensure());
  }

  /** Makes it anew: a gap of a fraction of a second in which lookups wait for the next server. */
  replace(): Promise<void> {
    return this.#serially(() => this.#replace());
  }

  /** Takes it off a network; with the last network it goes itself. */
  leave(network: string): Promise<void> {
    return this.#serially(async () => {
      const others = (await this.#networks.list()).filter((other) => other.name !== network);
      if (others.length === 0) return this.#remove(this.name);
      const body = { Container: this.name, Force: true };
      const path = `/networks/${network}/disconnect`;
      try {
        await this.#context.client.call({ doing: 'leave network', method: 'POST', path, body });
      } catch (error) {
        // 404: one of the two is gone; 403 and 500: it was not joined.
        if (!isStatus(error, 404) && !/not connected/.test((error as Error).message)) throw error;
      }
    });
  }

  async #ensure(): Promise<void> {
    const found = await this.#instances.inspect(this.name);
    const networks = await this.#networks.list();
    if (networks.length === 0) return;
    if (found?.Config.Labels[RECIPE_LABEL] !== this.#recipe()) return this.#replace();
    for (const network of networks) {
      if (found.NetworkSettings.Networks[network.name] === undefined) await this.#join(this.name, network);
    }
    if (!found.State.Running) await this.#instances.start(found.Id);
  }

  async #replace(): Promise<void> {
    const networks = await this.#networks.list();
    const [first, ...others] = networks;
    if (first === undefined) return;
    const next = `${this.name}-next`;
    await this.#remove(next);
    const image = await ensureDebianImage(this.#context.client, NAMES_IMAGE);
    const id = await this.#create(next, image, first);
    for (const network of others) await this.#join(id, network);
    // Addresses are taken at the start: all that can be done before was.
    await this.#remove(this.name);
    await this.#instances.start(id);
    const path = `/containers/${id}/rename`;
    await this.#context.client.call({ doing: 'rename container', method: 'POST', path, query: { name: this.name } });
    this.#context.log.info({ container: this.name, networks: networks.length }, 'internal names: resolver started');
  }

  async #create(name: string, image: string, network: { name: string; subnet: string }): Promise<string> {
    const { davitId, client } = this.#context;
    const body = {
      Image: image,
      Cmd: ARGUMENTS,
      User: '65534:65534',
      Labels: { [LABEL.instance]: davitId, [LABEL.kind]: 'names', [RECIPE_LABEL]: this.#recipe() },
      HostConfig: {
        ...HOST_CONFIG,
        NetworkMode: network.name,
        Mounts: [{ Type: 'bind', Source: this.#folder, Target: '/names', ReadOnly: true }],
      },
      NetworkingConfig: { EndpointsConfig: { [network.name]: endpoint(network.subnet) } },
    };
    const call = { doing: 'create resolver', method: 'POST', path: '/containers/create', query: { name } } as const;
    return (await client.call<{ Id: string }>({ ...call, body })).Id;
  }

  async #join(container: string, network: { name: string; subnet: string }): Promise<void> {
    const body = { Container: container, EndpointConfig: endpoint(network.subnet) };
    const path = `/networks/${network.name}/connect`;
    try {
      await this.#context.client.call({ doing: 'join network', method: 'POST', path, body });
    } catch (error) {
      if (!/already exists in network|already attached/.test((error as Error).message)) throw error;
    }
  }

  async #remove(name: string): Promise<void> {
    const found = await this.#instances.inspect(name);
    if (found !== null) await removeInstance({ context: this.#context, instances: this.#instances }, found.Id);
  }

  #recipe(): string {
    const content = JSON.stringify([NAMES_IMAGE, ARGUMENTS, HOST_CONFIG, this.#folder]);
    return createHash('sha256').update(content).digest('hex').slice(0, 16);
  }

  #serially(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

const HOST_CONFIG = {
  Init: true,
  ReadonlyRootfs: true,
  CapDrop: ['ALL'],
  SecurityOpt: ['no-new-privileges:true'],
  // It stands on every network and must not be a way from one to another; port 53 is open to it without a right.
  Sysctls: { 'net.ipv4.ip_forward': '0', 'net.ipv4.ip_unprivileged_port_start': '53' },
  RestartPolicy: { Name: 'always' },
  Memory: 64 * 1024 ** 2,
  PidsLimit: 32,
  LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '2' } },
};

function endpoint(subnet: string): { IPAMConfig: { IPv4Address: string } } {
  return { IPAMConfig: { IPv4Address: namesAddress(subnet) } };
}
