import { finished } from 'node:stream/promises';
import type Docker from 'dockerode';

export interface ClientRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Container with the clients of a database image on the network of the server, like a computer of a user. */
export class HostClient implements AsyncDisposable {
  readonly #docker: Docker;
  readonly #container: Docker.Container;

  private constructor(docker: Docker, container: Docker.Container) {
    this.#docker = docker;
    this.#container = container;
  }

  /** @param name name of the container, with the ID of the instance of the test */
  static async start(docker: Docker, name: string, image: string): Promise<HostClient> {
    const container = await docker.createContainer({
      ...{ name, Image: image, Entrypoint: ['sleep', 'infinity'], Cmd: [], User: '65534' },
      HostConfig: { NetworkMode: 'host', Init: true },
    });
    await container.start();
    return new HostClient(docker, container);
  }

  async run(command: string[], env: Record<string, string>, stdin = ''): Promise<ClientRun> {
    const exec = await this.#container.exec({
      ...{ Cmd: command, AttachStdin: true, AttachStdout: true, AttachStderr: true },
      Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    });
    const stream = await exec.start({ hijack: true, stdin: true });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const collect = (chunks: Buffer[]) =>
      ({ write: (chunk: Buffer) => chunks.push(chunk) }) as unknown as NodeJS.WritableStream;
    this.#docker.modem.demuxStream(stream, collect(stdout), collect(stderr));
    stream.end(stdin);
    await finished(stream, { writable: false });
    const { ExitCode } = await exec.inspect();
    return {
      code: ExitCode,
      stdout: Buffer.concat(stdout).toString(),
      stderr: Buffer.concat(stderr).toString(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#container.remove({ force: true });
  }
}
