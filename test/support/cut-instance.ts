/** An instance on a disk that loses power. The instance keeps running until the caller stops it. */

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Backup, Domain } from '@davit/api';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { type Acknowledged, missingFiles, missingRecords, nothingYet, soFar } from './cut-changes.ts';
import { type Cut, CutDisk } from './cut-disk.ts';
import { type AppParams, Instance, startInstance } from './instance.ts';
import { createdDatabase, done, pathOf } from './live-database.ts';
import { tagImage } from './live-images.ts';
import type { Pebble } from './pebble.ts';

const run = promisify(execFile);

const IMAGE = 'davit-test/power-cut';
const OPEN_STATE = join(import.meta.dirname, 'open-state.ts');

/** Repeats work, at least once, until another promise has settled. */
async function whilePending(other: Promise<unknown>, work: () => Promise<void>): Promise<void> {
  let pending = true;
  const over = () => {
    pending = false;
  };
  other.then(over, over);
  do await work();
  while (pending);
}

/**
 * Opens the content of the disk during a first start, before an engine is on record.
 * @returns problems of the content, or an empty array if the start could continue
 */
export async function problemsOfFirstStart(cut: Cut, dataDir: string): Promise<string[]> {
  await using mounted = await cut.mount();
  // A separate process is needed, because only a process inside the mount namespace sees this disk at the path.
  const [command = '', ...enter] = mounted.enter;
  try {
    await run(command, [...enter, process.execPath, OPEN_STATE, dataDir]);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** A copy of a disk, and the changes that had been acknowledged before it. */
export interface Moment {
  cut: Cut;
  acknowledged: Acknowledged;
}

export class CutInstance implements AsyncDisposable {
  readonly instance: Instance;
  readonly acknowledged: Acknowledged = nothingYet();
  readonly #disk: CutDisk;

  private constructor(instance: Instance, disk: CutDisk) {
    this.instance = instance;
    this.#disk = disk;
  }

  /**
   * Starts an instance for the first time, on a new disk.
   * @param during called repeatedly with a copy of the disk until the instance has started
   */
  static async create(during?: (cut: Cut) => Promise<void>): Promise<CutInstance> {
    const disk = await CutDisk.create();
    try {
      const docker = new Docker();
      for (const tag of ['v1', 'v2'] as const)
        await docker.getImage(await tagImage(docker, tag)).tag({ repo: IMAGE, tag });
      const dataDir = join(disk.path, 'data', 'davit');
      // `npm start` also creates this folder, because it opens the log of the instance there.
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const starting = startInstance({ dataDir });
      if (during !== undefined) await whilePending(starting, async () => during(await disk.cut()));
      return new CutInstance(await starting, disk);
    } catch (error) {
      await disk[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Keeps a copy of the disk, with the changes that had been acknowledged before. */
  async cut(): Promise<Moment> {
    const acknowledged = soFar(this.acknowledged);
    return { cut: await this.#disk.cut(), acknowledged };
  }

  /** Creates a project with an app, a secret of the app and a running release. */
  async deployNew(slug: string): Promise<AppParams> {
    const { instance, acknowledged } = this;
    const params = { project: slug, environment: 'production', app: 'web' };
    await instance.client.createProject({ body: { slug } });
    acknowledged.projects.push(slug);
    await instance.createApp(params, { image: IMAGE });
    await this.deployAgain(params, 'v1');
    return params;
  }

  /** Adds another secret to an app and deploys another release. */
  async deployAgain(params: AppParams, tag: 'v1' | 'v2'): Promise<void> {
    const { instance, acknowledged } = this;
    const value = `secret-${acknowledged.secrets.length}-${params.project}`;
    const name = `KEY_${acknowledged.secrets.length}`;
    const body = { set: { [name]: value }, secret: [name] };
    await instance.client.setAppEnv({ params, body });
    acknowledged.secrets.push({ params, value });
    const { id, status, error } = await instance.deploy(params, tag);
    if (status !== 'succeeded') throw new Error(`deploy ${tag}: ${status}: ${error}`);
    acknowledged.deployments.push({ params, id, host: instance.hostOf(params) });
  }

  /**
   * Creates a database to back up.
   * @returns its reference
   */
  database(project: string): Promise<string> {
    const { instance } = this;
    const { client, docker } = instance;
    return createdDatabase({ client, docker, instance }, { project, name: 'main', engine: 'redis' });
  }

  async backUp(reference: string): Promise<void> {
    const { client } = this.instance;
    const params = pathOf(reference);
    await done(client.backUpDatabase({ params, query: { wait: 'true' }, body: {} }));
    const known = new Set(this.acknowledged.backups.map(({ id }) => id));
    const backups = (await client.listDatabaseBackups({ params })) as Backup[];
    const made = backups.find(({ id, status }) => status === 'succeeded' && !known.has(String(id)));
    if (made === undefined) throw new Error('the backup that was taken is not listed');
    this.acknowledged.backups.push({ id: String(made.id), bytes: made.size_bytes ?? 0 });
  }

  /** Configures the instance to order certificates at this authority. */
  async orderAt(pebble: Pebble): Promise<void> {
    await this.instance.client.patchSettings({ body: { acme: pebble.settings.acme } });
  }

  /** Adds a domain and waits until its certificate is served. */
  async certify(params: AppParams, host: string): Promise<void> {
    const { client } = this.instance;
    const { id } = await client.addDomain({ params, body: { host } });
    await until(`${host} has a certificate`, async () => {
      const domain = (await client.getDomain({ params: { ...params, domain: String(id) } })) as Domain;
      return domain.certificate.status === 'active' ? true : null;
    });
    this.acknowledged.certificates.push(host);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.instance[Symbol.asyncDispose]();
    await this.#disk[Symbol.asyncDispose]();
  }

  /**
   * Starts an instance with the content of the disk, as after a power loss. Its engine is unavailable, because the
   * engine of this machine has the containers of the running instance.
   * @returns problems of the instance, or an empty array if all changes are there
   */
  async problemsOf({ cut, acknowledged }: Moment): Promise<string[]> {
    const { dataDir, key } = this.instance;
    await using mounted = await cut.mount();
    const seen = join(mounted.root, 'data', 'davit');
    const problems = await missingFiles(seen, acknowledged);
    const target = {
      docker: new Docker(),
      dockerHost: 'unix:///nonexistent/docker.sock',
      enter: mounted.enter,
      address: '127.0.0.1',
    };
    const ports = {
      api: await freePort(),
      http: await freePort(),
      https: await freePort(),
      registry: await freePort(),
    };
    // Never disposed: that would remove the running instance's objects at the engine, which have the same id.
    const again = new Instance(dataDir, { place: target, key }, ports);
    try {
      await again.start();
      problems.push(...(await missingRecords(again.client, acknowledged)));
    } catch (error) {
      problems.push(`it does not start: ${(error as Error).message}`);
    } finally {
      await again.kill();
    }
    return problems;
  }
}
