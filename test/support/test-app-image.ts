/**
 * Image of the test app: the project's own Node runtime, the required libraries and `app/`. The image is imported once
 * on each machine and found by a tag that is a hash of its content. The image stays, so the next test run starts at
 * once.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type Docker from 'dockerode';
import { readElfNeeds } from '../../packages/daemon/src/adapters/engine/docker/made/elf.ts';
import { tarOf } from './test-app-tar.ts';

const run = promisify(execFile);

const APP = join(import.meta.dirname, 'app');
/** The pinned runtime, which also runs the tests. */
const RUNTIME = process.execPath;
const LIBRARIES = ['/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu', '/lib/aarch64-linux-gnu', '/lib64', '/lib'];
/** Version of the import. Increase it when the processing of the content changes. */
const FORMAT = 1;

/** Default port of the app. */
export const TEST_APP_PORT = 8080;

/** Environment of each release of the app, by tag. Every tag is a separate image. */
const RELEASES: Record<string, Record<string, string>> = {
  v1: {},
  v2: {},
  /** Answers `/health` with 500 and all other requests normally, so it must never get a request. */
  sick: { FAIL_HEALTH: '1' },
  /** Exits with 3 at its start. */
  crash: { EXIT_CODE: '3' },
  /** Runs and listens on nothing. */
  silent: { NEVER_LISTEN: '1' },
  /** Listens half a second later than the others. */
  late: { START_DELAY_MS: '500' },
};

/**
 * Builds the missing images.
 * @returns the repository with the tags v1, v2, sick, crash, silent and late
 */
export async function testAppImage(docker: Docker): Promise<string> {
  const hash = await contentHash();
  const repository = `davit-test/app-${hash}`;
  const base = `${repository}:base`;
  if (!(await exists(docker, base))) await importBase(docker, repository);
  for (const [tag, env] of Object.entries(RELEASES)) {
    if (!(await exists(docker, `${repository}:${tag}`))) await buildRelease(docker, base, `${repository}:${tag}`, env);
  }
  return repository;
}

async function contentHash(): Promise<string> {
  const hash = createHash('sha256');
  const { size } = await stat(RUNTIME);
  hash.update(JSON.stringify([FORMAT, process.version, process.arch, size, RELEASES]));
  for (const file of (await readdir(APP)).sort()) hash.update(file).update(await readFile(join(APP, file)));
  return hash.digest('hex').slice(0, 12);
}

async function importBase(docker: Docker, repo: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-test-app-'));
  try {
    const root = join(folder, 'root');
    await mkdir(join(root, 'tmp'), { recursive: true });
    for (const [path, source] of await closure()) await copyInto(root, path, source);
    for (const file of await readdir(APP)) await copyInto(root, join('/app', file), join(APP, file));
    const archive = join(folder, 'image.tar');
    await run('tar', ['-C', root, '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-cf', archive, '.']);
    const changes = ['ENTRYPOINT ["/bin/node", "/app/server.mjs"]', `EXPOSE ${TEST_APP_PORT}`];
    const messages = await docker.importImage(createReadStream(archive), { repo, tag: 'base', changes });
    await followed(docker, messages, `import ${repo}:base`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildRelease(docker: Docker, base: string, reference: string, env: Record<string, string>) {
  const lines = [`FROM ${base}`, `LABEL release=${JSON.stringify(reference)}`];
  for (const [key, value] of Object.entries(env)) lines.push(`ENV ${key}=${value}`);
  const context = Readable.from([tarOf('Dockerfile', `${lines.join('\n')}\n`)]);
  const messages = await docker.buildImage(context, { t: reference, rm: true, forcerm: true });
  await followed(docker, messages, `build ${reference}`);
}

/** Returns the file of the runtime and all libraries that it needs, by path in the image. */
async function closure(): Promise<Map<string, string>> {
  const copies = new Map<string, string>();
  // libc loads this library by name when a thread ends.
  const queue = [
    { path: '/bin/node', source: RUNTIME },
    { path: '/lib/libgcc_s.so.1', source: libraryNamed('libgcc_s.so.1') },
  ];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (copies.has(next.path)) continue;
    copies.set(next.path, next.source);
    const { interpreter, libraries } = readElfNeeds(await readFile(next.source));
    for (const name of libraries) queue.push({ path: join('/lib', name), source: libraryNamed(name) });
    if (interpreter !== null) queue.push({ path: interpreter, source: libraryNamed(basename(interpreter)) });
  }
  return copies;
}

function libraryNamed(name: string): string {
  const folder = LIBRARIES.find((candidate) => existsSync(join(candidate, name)));
  if (folder === undefined) throw new Error(`build the test app: this machine has no ${name}: run "npm test" once`);
  return join(folder, name);
}

async function copyInto(root: string, path: string, source: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await copyFile(source, join(root, path));
}

async function exists(docker: Docker, reference: string): Promise<boolean> {
  try {
    await docker.getImage(reference).inspect();
    return true;
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 404) return false;
    throw error;
  }
}

/** Reads a stream of messages to its end. The engine reports a failure as a message inside a successful response. */
function followed(docker: Docker, messages: NodeJS.ReadableStream, doing: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  docker.modem.followProgress(messages, (error, seen: { error?: string }[] | null) => {
    const failure = error?.message ?? seen?.find((message) => message.error !== undefined)?.error;
    if (failure === undefined) resolve();
    else reject(new Error(`${doing}: ${failure}`));
  });
  return promise;
}
