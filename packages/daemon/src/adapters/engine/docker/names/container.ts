import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LABEL, RECIPE_LABEL } from '../../labels.ts';
import { resolverName } from '../../names.ts';
import { cidrRange, namesAddress } from '../../subnets.ts';
import { isRefusedIn, isStatus } from '../client/errors.ts';
import { removeInstance } from '../containers/ending.ts';
import type { DockerInstances } from '../containers/instances.ts';
import type { DockerContext } from '../context.ts';
import type { PlatformImageSource } from '../images/platform-images.ts';
import type { DebianImage } from '../made/debian-recipe.ts';
import type { DockerNetworks } from '../networks/networks.ts';

const START = '/davit/names.sh';

/** Command-line arguments of each dnsmasq process. `start.sh` also passes the listen address and the hosts file. */
const ARGUMENTS = [
  '--keep-in-foreground',
  /*
   * dnsmasq listens only on its own address. The address must exist when dnsmasq starts, because adding an address
   * later needs a Linux capability.
   */
  '--bind-interfaces',
  /*
   * dnsmasq must not watch `resolv.conf`, because each watching process uses an inotify instance. A user has only 128
   * inotify instances.
   */
  '--no-resolv',
  '--server=127.0.0.11',
  /*
   * dnsmasq does not forward queries for Docker's `<container>.<network>` names, because apps must not get these
   * addresses.
   */
  '--servers-file=/names/networks',
  '--conf-file=/dev/null',
  '--user=nobody',
  '--group=nogroup',
  '--pid-file=',
  '--log-facility=-',
  '--no-hosts',
  '--local=/internal/',
  // dnsmasq does not forward names without a dot. Such a name is an internal name or does not exist.
  '--domain-needed',
  '--bogus-priv',
  '--cache-size=0',
  '--edns-packet-max=1232',
];

/**
 * Image of the DNS resolver for internal names. If the image is built during the setup of Davit, the first network does
 * not have to wait for the build.
 */
export const NAMES_IMAGE: DebianImage = {
  name: 'names',
  packages: ['dnsmasq-base', 'busybox-static'],
  binaries: ['/usr/sbin/dnsmasq', '/bin/busybox'],
  entrypoint: ['/bin/sh', START],
  check: [
    ['/usr/sbin/dnsmasq', '--version'],
    ['/usr/sbin/dnsmasq', '--test', ...ARGUMENTS.filter((argument) => !argument.startsWith('--servers-file='))],
  ],
  links: { '/bin/sh': 'busybox' },
  env: { PATH: '/usr/sbin:/bin' },
  files: {
    [START]: readFileSync(join(import.meta.dirname, 'start.sh'), 'utf8'),
    // dnsmasq searches for its user in `/etc/passwd`, even if the process already runs as this user.
    '/etc/passwd': 'nobody:x:65534:65534::/:/bin/false\n',
    '/etc/group': 'nogroup:x:65534:\n',
  },
};

/**
 * Container of a Davit instance's DNS resolver. The container also runs while the daemon is stopped. Each network has
 * its own dnsmasq process with its own names.
 */
export class NamesContainer {
  readonly name: string;
  readonly #context: DockerContext;
  readonly #instances: DockerInstances;
  readonly #networks: DockerNetworks;
  readonly #folder: string;
  readonly #images: PlatformImageSource;
  readonly #pool: string;
  /**
   * Promise of the last queued change of the DNS resolver's container. Concurrent changes would create the container
   * twice.
   */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param folder folder on Docker's server with the files that dnsmasq reads
   * @param pool address pool in CIDR form that contains all networks
   */
  constructor(
    context: DockerContext,
    instances: DockerInstances,
    networks: DockerNetworks,
    { folder, images, pool }: { folder: string; images: PlatformImageSource; pool: string },
  ) {
    this.name = resolverName(context.davitId);
    this.#context = context;
    this.#instances = instances;
    this.#networks = networks;
    this.#folder = folder;
    this.#images = images;
    this.#pool = pool;
  }

  /**
   * Starts the DNS resolver's container with the current settings and connects it to all networks.
   * @returns whether the container was started
   */
  ensure(): Promise<boolean> {
    return this.#serially(() => this.#ensure());
  }

  /**
   * Replaces the DNS resolver's container. DNS queries of apps wait for a fraction of a second, and then use the next
   * DNS server.
   */
  replace(): Promise<void> {
    return this.#serially(() => this.#replace());
  }

  /**
   * Disconnects the DNS resolver's container from a network. If the container has no other network, the container is
   * removed.
   */
  leave(network: string): Promise<void> {
    return this.#serially(async () => {
      const others = (await this.#networks.list()).filter((other) => other.name !== network);
      if (others.length === 0) return this.#remove(this.name);
      const body = { Container: this.name, Force: true };
      const path = `/networks/${network}/disconnect`;
      try {
        await this.#context.client.call({ doing: 'leave network', method: 'POST', path, body });
      } catch (error) {
        // The container or the network does not exist (404), or the container was not connected to the network.
        if (!isStatus(error, 404) && !isRefusedIn(error, 'not_connected')) throw error;
      }
    });
  }

  async #ensure(): Promise<boolean> {
    const found = await this.#instances.inspect(this.name);
    const networks = await this.#networks.list();
    if (networks.length === 0) return false;
    const imageId = await this.#images.ensure(NAMES_IMAGE);
    // The state `Dead` means that Docker failed to remove the container. Docker cannot start such a container again.
    if (found?.Config.Labels[RECIPE_LABEL] !== this.#recipe(imageId) || found.State.Dead) {
      await this.#replace();
      return true;
    }
    for (const network of networks) {
      if (found.NetworkSettings.Networks[network.name] === undefined) await this.#join(this.name, network);
    }
    if (found.State.Paused) await this.#unpause(found.Id);
    if (found.State.Running) return false;
    await this.#instances.start(found.Id);
    return true;
  }

  async #unpause(id: string): Promise<void> {
    const path = `/containers/${id}/unpause`;
    await this.#context.client.call({ doing: 'unpause resolver', method: 'POST', path });
  }

  async #replace(): Promise<void> {
    const networks = await this.#networks.list();
    const [first, ...others] = networks;
    if (first === undefined) return;
    const next = `${this.name}-next`;
    await this.#remove(next);
    const image = await this.#images.ensure(NAMES_IMAGE);
    const id = await this.#create(next, image, { first, hidden: hiddenRanges(this.#pool, networks) });
    for (const network of others) await this.#join(id, network);
    /*
     * The old container is removed immediately before the start of the new container, because both use the same IP
     * addresses.
     */
    await this.#remove(this.name);
    await this.#instances.start(id);
    const path = `/containers/${id}/rename`;
    await this.#context.client.call({ doing: 'rename container', method: 'POST', path, query: { name: this.name } });
    this.#context.log.info({ container: this.name, networks: networks.length }, 'DNS resolver of the instance started');
  }

  /** @param hidden address ranges that dnsmasq must remove from responses of Docker's DNS server */
  async #create(
    name: string,
    image: string,
    { first: network, hidden }: { first: { name: string; subnet: string }; hidden: string[] },
  ): Promise<string> {
    const { davitId, client } = this.#context;
    const body = {
      Image: image,
      Cmd: [...ARGUMENTS, ...hidden.map((range) => `--bogus-nxdomain=${range}`)],
      User: '65534:65534',
      Labels: { [LABEL.instance]: davitId, [LABEL.kind]: 'names', [RECIPE_LABEL]: this.#recipe(image) },
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
      if (!isRefusedIn(error, 'already_connected')) throw error;
    }
  }

  async #remove(name: string): Promise<void> {
    const found = await this.#instances.inspect(name);
    if (found !== null) await removeInstance({ context: this.#context, instances: this.#instances }, found.Id);
  }

  #recipe(imageId: string): string {
    const content = JSON.stringify([imageId, ARGUMENTS, HOST_CONFIG, this.#folder, this.#pool]);
    return createHash('sha256').update(content).digest('hex').slice(0, 16);
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
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
  /*
   * The container must not route packets between networks. dnsmasq must be able to use port 53 without Linux
   * capabilities.
   */
  Sysctls: { 'net.ipv4.ip_forward': '0', 'net.ipv4.ip_unprivileged_port_start': '53' },
  RestartPolicy: { Name: 'always' },
  // Memory limit of the DNS resolver's container in bytes. The DNS resolver uses about 0.6 MiB for each environment.
  Memory: 512 * 1024 ** 2,
  PidsLimit: 2048,
  LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '2' } },
};

function endpoint(subnet: string): { IPAMConfig: { IPv4Address: string } } {
  return { IPAMConfig: { IPv4Address: namesAddress(subnet) } };
}

/**
 * Returns the address ranges that dnsmasq removes from responses of Docker's DNS server. An app must not find
 * containers in other networks.
 */
function hiddenRanges(pool: string, networks: { subnet: string }[]): string[] {
  const { first, last } = cidrRange(pool);
  const isInPool = (subnet: string) => cidrRange(subnet).first >= first && cidrRange(subnet).last <= last;
  return [pool, ...networks.map(({ subnet }) => subnet).filter((subnet) => !isInPool(subnet))];
}
