/** Clients that users push with. Each has its own folder for credentials. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Ran {
  exitCode: number;
  /** Combined output of stdout and stderr. */
  output: string;
}

const LIMIT_MS = 120_000;

export class RegistryClients implements AsyncDisposable {
  readonly #folder: string;

  static async create(): Promise<RegistryClients> {
    return new RegistryClients(await mkdtemp(join(tmpdir(), 'davit-clients-')));
  }

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Runs Docker's own client.
   * @param input text for its standard input
   */
  docker(args: string[], input = ''): Promise<Ran> {
    return run('docker', args, input, { DOCKER_CONFIG: this.#folder });
  }

  skopeo(args: string[]): Promise<Ran> {
    return run('skopeo', args, '', { REGISTRY_AUTH_FILE: join(this.#folder, 'skopeo.json') });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function run(command: string, args: string[], input: string, variables: Record<string, string>): Promise<Ran> {
  const { promise, resolve } = Promise.withResolvers<Ran>();
  const env = { ...process.env, ...variables };
  const child = execFile(command, args, { env, timeout: LIMIT_MS, maxBuffer: 8e6 }, (error, stdout, stderr) => {
    const code = error === null ? 0 : Number((error as { code?: unknown }).code ?? 1);
    resolve({ exitCode: Number.isNaN(code) ? 1 : code, output: `${stdout}${stderr}` });
  });
  // A program that reads no input may end first. Its exit code shows whether it succeeded.
  child.stdin?.on('error', () => undefined).end(input);
  return promise;
}
