/**
 * The lower bound of a deployment: the calls of the Engine API for the same container, over one persistent connection.
 * Nothing is checked, recorded, routed or stored.
 */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerInspectInfo } from 'dockerode';

const SOCKET = '/var/run/docker.sock';
const API = '/v1.41';
const POLL_MS = 5;

export class BareEngine implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });

  /**
   * Returns a request for a container like one that Davit created: image, network, resolvers, limits, labels, init,
   * capabilities, log and restart policy. The labels have other names, because Davit would remove a container with its
   * own labels.
   */
  requestLike({ Config, HostConfig, Image, NetworkSettings }: ContainerInspectInfo, address: string) {
    const { NetworkMode, Dns, Init, RestartPolicy, SecurityOpt, CapDrop, CapAdd } = HostConfig;
    const { LogConfig, Mounts, Memory, MemorySwap, NanoCpus, PidsLimit } = HostConfig;
    const { StopSignal } = Config as { StopSignal?: string };
    const labels = Object.entries(Config.Labels).map(([key, value]) => [`bench.${key}`, value]);
    const network = Object.keys(NetworkSettings.Networks)[0] ?? '';
    return {
      Image,
      Env: Config.Env,
      Labels: Object.fromEntries(labels),
      StopSignal,
      HostConfig: {
        ...{ NetworkMode, Dns, Init, RestartPolicy: { ...RestartPolicy, Name: 'no' }, SecurityOpt, CapDrop, CapAdd },
        ...{ LogConfig, Mounts, Memory, MemorySwap, NanoCpus, PidsLimit },
      },
      NetworkingConfig: { EndpointsConfig: { [network]: { IPAMConfig: { IPv4Address: address } } } },
    };
  }

  /**
   * Creates and starts a container, and sends requests until the first 200.
   * @returns the id of the container, and the time in milliseconds
   */
  async run(name: string, body: object, address: string, port: number): Promise<{ id: string; ms: number }> {
    const from = performance.now();
    const id = await this.create(name, body);
    await this.call('POST', `/containers/${id}/start`);
    while ((await statusOf(address, port)) !== 200) await delay(POLL_MS);
    return { id, ms: performance.now() - from };
  }

  /**
   * Creates a container.
   * @returns its id
   */
  async create(name: string, body: object): Promise<string> {
    return (JSON.parse(await this.call('POST', `/containers/create?name=${name}`, body)) as { Id: string }).Id;
  }

  async remove(id: string): Promise<void> {
    await this.call('DELETE', `/containers/${id}?force=true&v=true`);
  }

  /**
   * Runs a program in a container and reads its output.
   * @returns its exit code
   */
  async execute(id: string, { command, user }: { command: string[]; user: string }): Promise<number> {
    const body = { AttachStdout: true, AttachStderr: true, Cmd: command, User: user };
    const { Id } = JSON.parse(await this.call('POST', `/containers/${id}/exec`, body)) as { Id: string };
    await this.call('POST', `/exec/${Id}/start`, { Detach: false, Tty: false });
    return (JSON.parse(await this.call('GET', `/exec/${Id}/json`)) as { ExitCode: number }).ExitCode;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /**
   * Calls the Engine API.
   * @param body an object for JSON, or the bytes of an archive
   */
  call(method: string, path: string, body?: object | Buffer): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const type = Buffer.isBuffer(body) ? 'application/x-tar' : 'application/json';
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const headers = { 'content-type': type, 'content-length': bytes.length };
    const options = { socketPath: SOCKET, path: `${API}${path}`, method, headers, agent: this.#agent };
    const clientRequest = request(options, async (response) => {
      const answer = (await response.setEncoding('utf8').toArray()).join('');
      if ((response.statusCode ?? 500) < 300) resolve(answer);
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
    });
    clientRequest.on('error', reject);
    clientRequest.end(bytes);
    return promise;
  }
}

/** Returns the HTTP status, or 0 if no program listens. */
function statusOf(host: string, port: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const clientRequest = request({ host, port, path: '/', agent: false, timeout: 1_000 }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  clientRequest.on('error', () => resolve(0));
  clientRequest.on('timeout', () => clientRequest.destroy());
  clientRequest.end();
  return promise;
}
