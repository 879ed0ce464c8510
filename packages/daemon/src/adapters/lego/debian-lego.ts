/**
 * Runs the ACME client lego from a Debian package. Each command runs in a new Docker container, which exits after the
 * command.
 */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { count } from '@davit/api';
import type { DockerClient } from '../engine/docker/client/client.ts';
import { isStatus } from '../engine/docker/client/errors.ts';
import { decodeFrames } from '../engine/docker/client/frames.ts';
import { type DockerPlatformImages, sharedImages } from '../engine/docker/images/platform-images.ts';
import type { DebianImage } from '../engine/docker/made/debian-recipe.ts';
import { EngineUnavailable } from '../engine/errors.ts';
import { LABEL } from '../engine/labels.ts';
import { namePrefix } from '../engine/names.ts';
import { type Lego, LegoFailed, type LegoOrder } from './lego.ts';
import { legoFailure } from './reason.ts';

/**
 * Image with lego, a client that orders TLS certificates. The image can be built during the setup of Davit, before the
 * first wildcard certificate is needed.
 */
export const LEGO_IMAGE: DebianImage = {
  name: 'lego',
  packages: ['lego'],
  binaries: ['/usr/bin/lego'],
  entrypoint: ['/usr/bin/lego'],
  check: [['/usr/bin/lego', '--version']],
};

export interface LegoSettings {
  davitId: string;
  docker: DockerClient;
  dataDir: string;
  /** Image builder for lego, the ACME client. By default, all Davit instances on the server share an image builder. */
  images?: DockerPlatformImages;
}

/** Working folder of the ACME client lego, inside its container. */
const FOLDER = '/lego';

/**
 * Maximum time in milliseconds for one certificate order. Some DNS providers need minutes to publish records. Lego's
 * own timeouts are shorter.
 */
const OBTAIN_MS = 15 * 60_000;
const LIST_MS = 30_000;

interface Run {
  /** Container name. An existing container with this name is removed first. */
  name: string;
  args: string[];
  env: Record<string, string>;
  /**
   * Folder on the server that Docker mounts into the container of lego, the ACME client. `null` if no folder is
   * mounted.
   */
  folder: string | null;
  timeoutMs: number;
}

export function createLego(settings: LegoSettings): Lego {
  const parent = join(settings.dataDir, 'lego');
  const orders = `${namePrefix(settings.davitId)}lego`;
  // The lego image needs no rollout to running containers, because each lego container exits after one command.
  settings.images?.register({ recipe: LEGO_IMAGE });
  let known: Promise<readonly string[]> | null = null;
  return {
    providers() {
      known ??= listProviders(settings, `${orders}-list`).catch((error: unknown) => {
        known = null;
        throw error;
      });
      return known;
    },
    async tidy() {
      await rm(parent, { recursive: true, force: true });
      await remove(settings.docker, orders).catch((error: unknown) => {
        if (!(error instanceof EngineUnavailable)) throw error;
      });
    },
    async obtain(order, signal) {
      await mkdir(parent, { recursive: true, mode: 0o700 });
      const folder = await mkdtemp(join(parent, 'order-'));
      try {
        await prepare(folder, order);
        const env = { ...order.credentials, SSL_CERT_FILE: `${FOLDER}/roots.pem` };
        const run = { name: orders, args: legoArguments(order), env, folder, timeoutMs: OBTAIN_MS };
        const { exitCode, output } = await execute(settings, run, signal);
        if (exitCode !== 0) throw legoFailure(output, Object.values(order.credentials));
        return await collect(join(folder, 'certificates'));
      } finally {
        await rm(parent, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Returns lego's command-line arguments. The arguments contain no secrets, because lego reads secrets from environment
 * variables.
 */
export function legoArguments(order: LegoOrder): string[] {
  const { directory, email, name, provider, checkPropagation, resolver } = order;
  return [
    ...['--accept-tos', '--path', FOLDER, '--server', directory, '--email', email, '--key-type', 'ec256'],
    ...['--domains', name, '--dns', provider],
    ...(checkPropagation ? [] : ['--dns.disable-cp']),
    ...(resolver === null ? [] : ['--dns.resolvers', resolver]),
    'run',
  ];
}

/**
 * Creates lego's working folder with the existing ACME account. Without the account, lego would register a new account
 * for each certificate.
 */
async function prepare(folder: string, { directory, email, accountKey, trustedCa }: LegoOrder): Promise<void> {
  const account = join(folder, 'accounts', new URL(directory).host.replaceAll(':', '_'), email);
  await mkdir(join(account, 'keys'), { recursive: true, mode: 0o700 });
  await writeFile(join(account, 'keys', `${email}.key`), accountKey, { mode: 0o600 });
  await writeFile(join(account, 'account.json'), JSON.stringify({ email }), { mode: 0o600 });
  const roots = [...rootCertificates, ...(trustedCa === null ? [] : [trustedCa])];
  await writeFile(join(folder, 'roots.pem'), `${roots.join('\n')}\n`, { mode: 0o600 });
}

async function collect(folder: string): Promise<{ chain: string; key: string }> {
  const files = await readdir(folder);
  const chain = files.find((name) => name.endsWith('.crt') && !name.endsWith('.issuer.crt'));
  const key = files.find((name) => name.endsWith('.key'));
  if (chain === undefined || key === undefined)
    throw new LegoFailed(
      'The certificate request failed: the ACME client lego returned no certificate. Find the reason in the log of the instance.',
    );
  return { chain: await readFile(join(folder, chain), 'utf8'), key: await readFile(join(folder, key), 'utf8') };
}

async function listProviders(settings: LegoSettings, name: string): Promise<string[]> {
  /*
   * The path must be writable. The ACME client always creates a folder in `--path`, even if the command only lists DNS
   * providers.
   */
  const run = { name, args: ['--path', '/tmp', 'dnshelp'], env: {}, folder: null, timeoutMs: LIST_MS };
  const { exitCode, output } = await execute(settings, run, new AbortController().signal);
  const codes = /All DNS codes:\s+([a-z0-9, -]+)/.exec(output)?.[1];
  if (exitCode !== 0 || codes === undefined) throw legoFailure(output, []);
  return codes.split(',').map((code) => code.trim());
}

async function execute(
  settings: LegoSettings,
  run: Run,
  signal: AbortSignal,
): Promise<{ exitCode: number; output: string }> {
  const { docker, davitId } = settings;
  const image = await imageOf(settings);
  const { name } = run;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(run.timeoutMs)]);
  // If the daemon was killed, a container of an earlier command can still have this name.
  await remove(docker, name);
  const body = createRequest(davitId, image, run);
  const create = { doing: 'create container of lego', method: 'POST', path: '/containers/create' } as const;
  const { Id: id } = await docker.call<{ Id: string }>({ ...create, query: { name }, body });
  try {
    await docker.call({ doing: 'start lego', method: 'POST', path: `/containers/${id}/start` });
    const wait = { doing: 'wait for lego', method: 'POST', path: `/containers/${id}/wait`, timeoutMs: null } as const;
    const { StatusCode } = await docker.call<{ StatusCode: number }>({ ...wait, signal: deadline });
    return { exitCode: StatusCode, output: await logsOf(docker, id) };
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    const minutes = run.timeoutMs / 60_000;
    throw new LegoFailed(
      `The DNS provider did not set the DNS record within ${count(minutes, 'minute')}. Check the DNS provider, then try again.`,
      { cause: error },
    );
  } finally {
    await remove(docker, id);
  }
}

/**
 * Returns the Docker image id of lego, a client that orders TLS certificates.
 * @throws LegoFailed if the image cannot be built on this server
 */
async function imageOf({ docker, images }: LegoSettings): Promise<string> {
  try {
    return await (images ?? sharedImages(docker)).ensure(LEGO_IMAGE);
  } catch (cause) {
    if (cause instanceof EngineUnavailable) throw cause;
    const message =
      'The image with the ACME client lego cannot be built on this server. Find the reason in the log of the instance.';
    throw new LegoFailed(message, { cause });
  }
}

/** Returns the request body that creates a Docker container with the ACME client lego. */
function createRequest(davitId: string, image: string, { args, env, folder }: Run) {
  // The container can access only this folder of the server. The folder exists only during the certificate order.
  const mount = folder === null ? [] : [{ Type: 'bind', Source: folder, Target: FOLDER }];
  return {
    Image: image,
    Cmd: args,
    // Lego runs as the daemon's user, so that the daemon can read and delete lego's files.
    User: `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Labels: { [LABEL.instance]: davitId, [LABEL.kind]: 'lego' },
    HostConfig: {
      /*
       * Lego needs the server's network to reach DNS providers and the certificate authority in the same way as the
       * server.
       */
      NetworkMode: 'host',
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': 'rw,noexec,nosuid,size=16m,mode=1777' },
      Mounts: mount,
      Memory: 256 * 1024 ** 2,
      PidsLimit: 64,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
    },
  };
}

async function logsOf(docker: DockerClient, id: string): Promise<string> {
  const query = { stdout: true, stderr: true, tail: 200 };
  const parts: Buffer[] = [];
  const stream = await docker.stream({ doing: 'read the log of lego', path: `/containers/${id}/logs`, query });
  for await (const { payload } of decodeFrames(stream)) parts.push(payload);
  return Buffer.concat(parts).toString();
}

async function remove(docker: DockerClient, id: string): Promise<void> {
  const call = { doing: 'remove container of lego', method: 'DELETE', path: `/containers/${id}` } as const;
  try {
    await docker.call({ ...call, query: { force: true, v: true } });
  } catch (error) {
    if (!isStatus(error, 404, 409)) throw error;
  }
}
