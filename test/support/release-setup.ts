/** A real instance to which tests push with Docker, and images that serve a word. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Deployment, RegistryCollection, Release } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { customImage } from './docker-images.ts';
import { type AppParams, type Instance, startInstance } from './instance.ts';

const SERVE = 'CMD ["sh", "-c", "exec httpd -f -p $PORT -h /www"]';

export class ReleaseSetup implements AsyncDisposable {
  readonly docker = new Docker();
  /** Random text at the start of each image's page. */
  readonly run = randomBytes(3).toString('hex');
  /** Built images by word. */
  readonly built = new Map<string, string>();
  readonly instance: Instance;
  /** Host and port of the registry. */
  readonly host: string;

  private constructor(instance: Instance) {
    this.instance = instance;
    this.host = `localhost:${instance.registryPort}`;
  }

  /**
   * Starts the environment.
   * @param kept number of images that are kept for rollbacks
   */
  static async start(kept: number): Promise<ReleaseSetup> {
    const instance = await startInstance();
    await instance.client.createProject({ body: { slug: 'shop' } });
    await instance.client.patchSettings({ body: { images: { keep: kept }, registry: { push_minutes: 0 } } });
    // The registry starts in parallel with the API, so on a busy machine it may not run yet.
    const isRunning = async () => ((await instance.client.getOwnRegistry()).status === 'running' ? true : null);
    await until('the registry runs', isRunning);
    return new ReleaseSetup(instance);
  }

  /** Builds an image that serves this word. Its layer cannot be compressed. */
  async imageOf(word: string): Promise<string> {
    const make = `head -c 300000 /dev/urandom > /www/blob; echo ${this.run} ${word} > /www/index.html`;
    const lines = ['EXPOSE 8080', `RUN ${JSON.stringify(['/bin/sh', '-c', make])}`, SERVE];
    const image = this.built.get(word) ?? (await customImage(this.docker, 'releases', lines));
    this.built.set(word, image);
    return image;
  }

  /**
   * Pushes an image.
   * @throws Error with the message for the user
   */
  async push(app: AppParams, tag: string, word: string): Promise<void> {
    const repo = `${this.host}/${app.project}/${app.environment}/${app.app}`;
    await this.docker.getImage(await this.imageOf(word)).tag({ repo, tag });
    const named = this.docker.getImage(`${repo}:${tag}`);
    try {
      const stream = await named.push({
        authconfig: { username: 'admin', password: this.instance.key, serveraddress: this.host },
      });
      await new Promise<void>((resolve, reject) => {
        this.docker.modem.followProgress(stream, (error, messages: { error?: string }[] | null) => {
          const failure = error?.message ?? messages?.find((message) => message.error !== undefined)?.error;
          if (failure === undefined) resolve();
          else reject(new Error(failure));
        });
      });
    } finally {
      await named.remove({ noprune: true });
    }
  }

  /** Returns whether the configuration of the registry makes it read-only. */
  async isReadOnly(): Promise<boolean> {
    const text = await readFile(join(this.instance.dataDir, 'registry/config/config.yml'), 'utf8');
    return JSON.parse(text).storage.maintenance.readonly.enabled;
  }

  /** Returns the images at the engine whose registry name begins with the path. */
  async imagesIn(path: string): Promise<Docker.ImageInfo[]> {
    const isNamed = (name: string) => name.startsWith(`${this.host}/${path}`);
    return (await this.docker.listImages()).filter(({ RepoDigests }) => RepoDigests?.some(isNamed));
  }

  /** Removes an image with all its names from the engine. */
  async lose(digest: string): Promise<void> {
    for (const { Id, RepoDigests } of await this.docker.listImages()) {
      const isIt = RepoDigests?.some((name) => name.endsWith(`@${digest}`));
      if (isIt) await this.docker.getImage(Id).remove({ force: true });
    }
  }

  async newApp(name: string): Promise<AppParams> {
    const body = { project: 'shop', name, source: 'registry' as const };
    const { environment } = await this.instance.client.createApp({ body });
    return { project: 'shop', environment, app: name };
  }

  /** Pushes an image and waits until it is live. */
  async release(app: AppParams, tag: string, word: string): Promise<Deployment> {
    const { client } = this.instance;
    const newest = async () => (await client.listDeployments({ params: app, query: { limit: '1' } }))[0];
    const last = await newest();
    await this.push(app, tag, word);
    return until(`${word} is live`, async () => {
      const now = await newest();
      if (now === undefined || now.id === last?.id) return null;
      assert.notEqual(now.status, 'failed', now.error ?? '');
      return now.live ? now : null;
    });
  }

  releasesOf(app: AppParams): Promise<Release[]> {
    return this.instance.client.listReleases({ params: app, query: {} });
  }

  collect(): Promise<RegistryCollection> {
    return this.instance.client.collectRegistry({ query: { dry_run: 'false' } });
  }

  /** Returns the response of an app, as soon as it responds. */
  answer(app: AppParams): Promise<string> {
    const url = `http://127.0.0.1:${this.instance.httpPort}/`;
    return until('the app answers', () => {
      const { promise, resolve } = Promise.withResolvers<string | null>();
      request(url, { agent: false, headers: { host: this.instance.hostOf(app) } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(response.statusCode === 200 ? text.trim() : null));
      })
        .on('error', () => resolve(null))
        .end();
      return promise;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.instance[Symbol.asyncDispose]();
    for (const { Id } of await this.imagesIn('')) await this.docker.getImage(Id).remove({ force: true });
    for (const image of this.built.values()) {
      // A test may have removed an image on purpose.
      await this.docker
        .getImage(image)
        .remove({ force: true })
        .catch(() => null);
    }
  }
}
