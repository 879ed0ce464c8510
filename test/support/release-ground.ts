/** A real instance to which tests push with Docker, and what they push: images that serve a word. */

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

export class ReleaseGround implements AsyncDisposable {
  readonly docker = new Docker();
  /** Begins what every image of this run serves. */
  readonly run = randomBytes(3).toString('hex');
  /** Word to image. */
  readonly built = new Map<string, string>();
  readonly instance: Instance;
  /** Where it is pushed to. */
  readonly host: string;

  private constructor(instance: Instance) {
    this.instance = instance;
    this.host = `localhost:${instance.registryPort}`;
  }

  /** @param kept how many images are kept to go back to */
  static async start(kept: number): Promise<ReleaseGround> {
    const instance = await startInstance();
    await instance.client.createProject({ body: { slug: 'shop' } });
    await instance.client.patchSettings({ body: { images: { keep: kept }, registry: { push_minutes: 0 } } });
    // It begins beside the API, and a busy machine can be asked to push before.
    const isRunning = async () => ((await instance.client.getOwnRegistry()).status === 'running' ? true : null);
    await until('the registry runs', isRunning);
    return new ReleaseGround(instance);
  }

  /** An image that serves this word, with a layer of its own that is not worth compressing. */
  async imageOf(word: string): Promise<string> {
    const make = `head -c 300000 /dev/urandom > /www/blob; echo ${this.run} ${word} > /www/index.html`;
    const lines = ['EXPOSE 8080', `RUN ${JSON.stringify(['/bin/sh', '-c', make])}`, SERVE];
    const image = this.built.get(word) ?? (await customImage(this.docker, 'releases', lines));
    this.built.set(word, image);
    return image;
  }

  /** @throws Error with what a person would read */
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

  /** Whether the registry runs, or is about to run, without taking pushes. */
  async isReadOnly(): Promise<boolean> {
    const text = await readFile(join(this.instance.dataDir, 'registry/config/config.yml'), 'utf8');
    return JSON.parse(text).storage.maintenance.readonly.enabled;
  }

  /** What the engine has under names of the registry that begin so. */
  async imagesIn(path: string): Promise<Docker.ImageInfo[]> {
    const isNamed = (name: string) => name.startsWith(`${this.host}/${path}`);
    return (await this.docker.listImages()).filter(({ RepoDigests }) => RepoDigests?.some(isNamed));
  }

  /** Takes an image away from the engine, with all its names. */
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

  /** Pushes and waits until what was pushed is live. */
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

  /** What an app says, once it says something. */
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
      // One of them may have been lost on purpose.
      await this.docker
        .getImage(image)
        .remove({ force: true })
        .catch(() => null);
    }
  }
}
