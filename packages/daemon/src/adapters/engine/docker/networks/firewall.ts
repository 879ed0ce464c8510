/**
 * Sets the instance's firewall rules on the server: a container in the host's network that may administer it and runs nft
 * once. The daemon itself needs no such right, and may not have it. The container stays, so that the engine sets the rules
 * after a reboot, when it starts the apps before the daemon runs.
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

/** Set-up may build it ahead of the first start. */
export const FIREWALL_IMAGE: DebianImage = {
  name: 'firewall',
  packages: ['nftables'],
  binaries: ['/usr/sbin/nft'],
  entrypoint: ['/usr/sbin/nft'],
  check: [['/usr/sbin/nft', '--version']],
};

/** nft takes milliseconds, but an engine under load may take long to run a container. */
const TIMEOUT_MS = 60_000;

export class DockerFirewall {
  readonly #context: DockerContext;
  readonly #networks: DockerNetworks;
  readonly #images: PlatformImageSource;
  readonly #name: string;
  /** Runs are sequential, because they use the same container name. The rules of the last run apply. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: DockerContext, networks: DockerNetworks, images: PlatformImageSource) {
    this.#context = context;
    this.#networks = networks;
    this.#images = images;
    this.#name = `${namePrefix(context.davitId)}firewall`;
  }

  /** @throws EngineRefused when the rules cannot be set, EngineUnavailable */
  async set(access: HostAccess): Promise<void> {
    const done = this.#last.then(() => this.#set(access));
    this.#last = done.catch(() => undefined);
    await done;
  }

  async #set(access: HostAccess): Promise<void> {
    const otherBridges = await this.#networks.bridgesOfOthers();
    const surroundings = { otherBridges, nameServers: await upstreamServers() };
    const image = await this.#image();
    // The previous container, which the engine restarts repeatedly after a reboot.
    await this.#remove();
    await this.#run(image, firewallRules(this.#context.davitId, access, surroundings));
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
        log.warn({ exitCode: StatusCode, output: await this.#output(id) }, 'nft did not set the firewall rules');
        throw new EngineRefused(`set firewall rules: nft ended with exit code ${StatusCode}`);
      }
      await this.#runAtStartOfEngine(id);
    } catch (error) {
      await this.#remove();
      throw error;
    }
  }

  /** Not part of the creation: the engine starts a container with this policy again as soon as it has ended. */
  async #runAtStartOfEngine(id: string): Promise<void> {
    const update = { doing: 'update container', method: 'POST', path: `/containers/${id}/update` } as const;
    await this.#context.client.call({ ...update, body: { RestartPolicy: { Name: 'always' } } });
  }

  async #image(): Promise<string> {
    try {
      return await this.#images.ensure(FIREWALL_IMAGE);
    } catch (cause) {
      if (cause instanceof EngineUnavailable) throw cause;
      this.#context.log.warn({ error: cause }, 'the image that sets the firewall rules cannot be built');
      throw new EngineRefused('set firewall rules: the image of nft cannot be built', { cause });
    }
  }

  /** @param rules in the arguments, which anybody on the server may read: there is no secret in them */
  #createRequest(image: string, rules: string): object {
    return {
      Image: image,
      Cmd: [rules],
      // A capability of a container is its root's.
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
