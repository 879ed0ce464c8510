/**
 * Sets the firewall rules from a container, because the daemon may lack the capability NET_ADMIN. After a reboot,
 * Docker restarts this container before the daemon runs.
 */
import { EngineRefused, EngineUnavailable } from '../../errors.ts';
import type { HostAccess } from '../../host-access.ts';
import { LABEL } from '../../labels.ts';
import { namePrefix } from '../../names.ts';
import { isStatus } from '../client/errors.ts';
import { decodeFrames } from '../client/frames.ts';
import type { DockerContext } from '../context.ts';
import type { PlatformImageSource } from '../images/platform-images.ts';
import type { DebianImage } from '../made/debian-recipe.ts';
import { firewallRules } from './firewall-rules.ts';
import type { DockerNetworks } from './networks.ts';
import { upstreamServers } from './upstream.ts';

/**
 * Image with nft, the command-line tool for the Linux firewall. The image can be built during the setup of Davit,
 * before the first start of the daemon.
 */
export const FIREWALL_IMAGE: DebianImage = {
  name: 'firewall',
  packages: ['nftables'],
  binaries: ['/usr/sbin/nft'],
  entrypoint: ['/usr/sbin/nft'],
  check: [['/usr/sbin/nft', '--version']],
};

/**
 * Maximum time in milliseconds for one run of nft in a container. nft needs only milliseconds, but Docker can be slow
 * under load.
 */
const TIMEOUT_MS = 60_000;

export class DockerFirewall {
  readonly #context: DockerContext;
  readonly #networks: DockerNetworks;
  readonly #images: PlatformImageSource;
  readonly #name: string;
  /**
   * Promise of the last queued change of the firewall rules. Changes run one at a time, because all firewall
   * containers have the same name.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: DockerContext, networks: DockerNetworks, images: PlatformImageSource) {
    this.#context = context;
    this.#networks = networks;
    this.#images = images;
    this.#name = `${namePrefix(context.davitId)}firewall`;
  }

  /**
   * Replaces the firewall rules.
   * @throws EngineRefused if the rules cannot be set
   * @throws EngineUnavailable if Docker does not respond
   */
  async set(access: HostAccess): Promise<void> {
    const done = this.#last.then(() => this.#set(access));
    this.#last = done.catch(() => undefined);
    await done;
  }

  async #set(access: HostAccess): Promise<void> {
    const otherBridges = await this.#networks.bridgesOfOthers();
    const facts = { otherBridges, nameServers: await upstreamServers() };
    const image = await this.#image();
    // The previous container is removed first, because the new container needs the same name.
    await this.#remove();
    await this.#run(image, firewallRules(this.#context.davitId, access, facts));
  }

  async #run(image: string, rules: string): Promise<void> {
    const { client, log } = this.#context;
    const create = { doing: 'create container', method: 'POST', path: '/containers/create' } as const;
    const { Id: id } = await client.call<{ Id: string }>({
      ...create,
      query: { name: this.#name },
      body: this.#createRequest(image, rules),
    });
    try {
      await client.call({ doing: 'start container', method: 'POST', path: `/containers/${id}/start` });
      const wait = { doing: 'wait for container', method: 'POST', path: `/containers/${id}/wait` } as const;
      const { StatusCode } = await client.call<{ StatusCode: number }>({ ...wait, timeoutMs: TIMEOUT_MS });
      if (StatusCode !== 0) {
        log.warn({ exitCode: StatusCode, output: await this.#output(id) }, 'firewall rules could not be set');
        throw new EngineRefused(`Davit cannot set the firewall rules: the program nft exited with code ${StatusCode}.`);
      }
      await this.#runAtStartOfEngine(id);
    } catch (error) {
      await this.#remove();
      throw error;
    }
  }

  /**
   * Makes Docker start the firewall container whenever Docker itself starts. The restart policy is set after the first
   * run. Otherwise, Docker would restart nft after each exit.
   */
  async #runAtStartOfEngine(id: string): Promise<void> {
    const update = { doing: 'update container', method: 'POST', path: `/containers/${id}/update` } as const;
    await this.#context.client.call({ ...update, body: { RestartPolicy: { Name: 'always' } } });
  }

  async #image(): Promise<string> {
    try {
      return await this.#images.ensure(FIREWALL_IMAGE);
    } catch (cause) {
      if (cause instanceof EngineUnavailable) throw cause;
      this.#context.log.warn({ error: cause }, 'image with the firewall program nft could not be built');
      throw new EngineRefused(
        'Davit cannot set the firewall rules, because the image of the firewall container could not be built.',
        { cause },
      );
    }
  }

  /** @param rules nft commands without secrets, because all users of the server can read process arguments */
  #createRequest(image: string, rules: string): object {
    return {
      Image: image,
      Cmd: [rules],
      // The firewall container runs as root, because Docker gives added capabilities such as NET_ADMIN only to root.
      User: '0:0',
      Labels: { [LABEL.instance]: this.#context.davitId, [LABEL.kind]: 'firewall' },
      HostConfig: {
        NetworkMode: 'host',
        CapDrop: ['ALL'],
        CapAdd: ['NET_ADMIN'],
        SecurityOpt: ['no-new-privileges:true'],
        ReadonlyRootfs: true,
        Memory: 64 * 1024 ** 2,
        PidsLimit: 16,
        LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
      },
    };
  }

  async #output(id: string): Promise<string> {
    const query = { stdout: true, stderr: true, tail: 50 };
    const stream = await this.#context.client.stream({ doing: 'read logs', path: `/containers/${id}/logs`, query });
    const parts: Buffer[] = [];
    for await (const { payload } of decodeFrames(stream)) parts.push(payload);
    return Buffer.concat(parts).toString();
  }

  async #remove(): Promise<void> {
    const call = { doing: 'remove container', method: 'DELETE', path: `/containers/${this.#name}` } as const;
    try {
      await this.#context.client.call({ ...call, query: { force: true, v: true } });
    } catch (error) {
      if (!isStatus(error, 404, 409)) throw error;
    }
  }
}
