/** A real registry (CNCF Distribution) on loopback without authentication. Tests can access its files. */

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { createDockerClient } from '../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { ensureRegistryImage } from '../../packages/daemon/src/adapters/registry/distribution/image.ts';

export const IMAGE_TYPE = 'application/vnd.docker.distribution.manifest.v2+json';
export const INDEX_TYPE = 'application/vnd.docker.distribution.manifest.list.v2+json';

/** A pushed manifest. */
export interface Pushed {
  digest: string;
  bytes: number;
  mediaType: string;
}

export class OpenRegistry implements AsyncDisposable {
  readonly url: string;
  /** Path of the registry's `rootdirectory`. */
  readonly storage: string;
  readonly #docker: Docker;
  readonly #folder: string;
  readonly #image: string;
  readonly #port: number;
  #container: Docker.Container | null = null;

  private constructor(docker: Docker, folder: string, image: string, port: number) {
    this.#docker = docker;
    this.#folder = folder;
    this.#image = image;
    this.#port = port;
    this.storage = join(folder, 'storage');
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(docker = new Docker()): Promise<OpenRegistry> {
    await using client = createDockerClient(null);
    const folder = await mkdtemp(join(tmpdir(), 'davit-open-registry-'));
    const registry = new OpenRegistry(docker, folder, await ensureRegistryImage(client, null), await freePort());
    await mkdir(registry.storage);
    await registry.replace({ readOnly: false });
    return registry;
  }

  /** Replaces the container by another one with the same files and the same port, as Davit does. */
  async replace({ readOnly }: { readOnly: boolean }): Promise<void> {
    await this.#container?.stop({ t: 10 });
    await this.#container?.remove();
    await writeFile(join(this.#folder, 'config.yml'), this.#config(readOnly));
    this.#container = await this.#docker.createContainer({
      name: `davit-test-open-registry-${randomBytes(4).toString('hex')}`,
      Image: this.#image,
      Cmd: ['serve', '/data/config.yml'],
      HostConfig: { NetworkMode: 'host', Init: true, Binds: [`${this.#folder}:/data`] },
    });
    await this.#container.start();
    await this.#answering();
  }

  /** Returns the output of the registry's own garbage collector for a dry run. */
  async wouldCollect(): Promise<string> {
    const container = await this.#docker.createContainer({
      Image: this.#image,
      Cmd: ['garbage-collect', '--dry-run', '/data/config.yml'],
      HostConfig: { NetworkMode: 'none', Binds: [`${this.#folder}:/data`] },
    });
    await container.start();
    await container.wait();
    const said = (await container.logs({ stdout: true, stderr: true })).toString();
    await container.remove();
    return said;
  }

  /** Pushes an image with one layer like a client, which does not send existing blobs again. */
  async push(repository: string, tag: string, content: Buffer): Promise<Pushed> {
    const config = Buffer.from(JSON.stringify({ architecture: 'amd64', os: 'linux', of: sha(content) }));
    for (const blob of [config, content]) await this.upload(repository, blob);
    const manifest = {
      schemaVersion: 2,
      mediaType: IMAGE_TYPE,
      config: { mediaType: 'application/vnd.docker.container.image.v1+json', size: config.length, digest: sha(config) },
      layers: [
        { mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip', size: content.length, digest: sha(content) },
      ],
    };
    return this.#manifest(repository, tag, Buffer.from(JSON.stringify(manifest)), IMAGE_TYPE);
  }

  /** Pushes images without a tag, and an index of them with a tag. */
  async pushIndex(repository: string, tag: string, contents: Buffer[]): Promise<Pushed & { images: string[] }> {
    const images: (Pushed & { platform: object })[] = [];
    for (const [index, content] of contents.entries()) {
      const image = await this.push(repository, '', content);
      images.push({ ...image, platform: { os: 'linux', architecture: index === 0 ? 'amd64' : 'arm64' } });
    }
    const manifests = images.map(({ digest, bytes, mediaType, platform }) => ({
      mediaType,
      size: bytes,
      digest,
      platform,
    }));
    const text = JSON.stringify({ schemaVersion: 2, mediaType: INDEX_TYPE, manifests });
    const pushed = await this.#manifest(repository, tag, Buffer.from(text), INDEX_TYPE);
    return { ...pushed, images: images.map(({ digest }) => digest) };
  }

  /** Uploads a blob unless the registry already has it. */
  async upload(repository: string, blob: Buffer): Promise<void> {
    const known = await fetch(`${this.url}/v2/${repository}/blobs/${sha(blob)}`, { method: 'HEAD' });
    if (known.status === 200) return;
    const begun = await fetch(`${this.url}/v2/${repository}/blobs/uploads/`, { method: 'POST' });
    if (begun.status !== 202) throw new Error(`begin an upload: ${begun.status} ${await begun.text()}`);
    const uploadUrl = new URL(begun.headers.get('location') ?? '', this.url);
    uploadUrl.searchParams.set('digest', sha(blob));
    const ended = await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(blob) });
    if (ended.status !== 201) throw new Error(`upload a blob: ${ended.status} ${await ended.text()}`);
  }

  /**
   * Pulls a manifest with everything that it refers to.
   * @returns HTTP status of the pull
   */
  async pull(repository: string, reference: string): Promise<number> {
    const headers = { accept: [IMAGE_TYPE, INDEX_TYPE].join(', ') };
    const answer = await fetch(`${this.url}/v2/${repository}/manifests/${reference}`, { headers });
    if (answer.status !== 200) return answer.status;
    const { config, layers, manifests } = (await answer.json()) as Record<string, { digest: string }[] | undefined>;
    for (const { digest } of manifests ?? []) {
      const status = await this.pull(repository, digest);
      if (status !== 200) return status;
    }
    const blobs = [config ?? [], layers ?? []].flat() as { digest: string }[];
    for (const { digest } of blobs) {
      const blob = await fetch(`${this.url}/v2/${repository}/blobs/${digest}`);
      if (blob.status !== 200 || sha(Buffer.from(await blob.arrayBuffer())) !== digest) return blob.status;
    }
    return 200;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#container?.remove({ force: true, v: true });
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #manifest(repository: string, tag: string, body: Buffer, mediaType: string): Promise<Pushed> {
    const digest = sha(body);
    const url = `${this.url}/v2/${repository}/manifests/${tag === '' ? digest : tag}`;
    const headers = { 'content-type': mediaType };
    const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) });
    if (answer.status !== 201) throw new Error(`push a manifest: ${answer.status} ${await answer.text()}`);
    return { digest, bytes: body.length, mediaType };
  }

  #config(readOnly: boolean): string {
    const maintenance = { readonly: { enabled: readOnly } };
    const storage = { filesystem: { rootdirectory: '/data/storage' }, delete: { enabled: true }, maintenance };
    const http = { addr: `127.0.0.1:${this.#port}`, secret: 'the same for every container', draintimeout: '10s' };
    return JSON.stringify({ version: '0.1', log: { level: 'warn' }, storage, http });
  }

  async #answering(): Promise<void> {
    await until(`the registry at ${this.url} answers`, async () => {
      const answer = await fetch(`${this.url}/v2/`).catch(() => null);
      return answer?.status === 200;
    });
  }
}

export function sha(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
