/**
 * A real registry (CNCF Distribution from the packages of the distribution) on loopback that accepts only one account.
 */

import { randomBytes } from 'node:crypto';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { createDockerClient } from '../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { ensureDebianImage } from '../../packages/daemon/src/adapters/engine/docker/made/debian-image.ts';

export const ACCOUNT = { username: 'ada', password: 'open-the-registry-7f3a' };
/** Bcrypt hash of the password above. The registry accepts only bcrypt. */
const HTPASSWD = 'ada:$2y$05$Zq1mW8rT4vB6nX0cL3kJ2ue45.Nb9lb97JA/pUOZjyjz6vwB8/GDi';

const CONFIG = `version: 0.1
storage:
  filesystem:
    rootdirectory: /registry
http:
  addr: :5000
auth:
  htpasswd:
    realm: locked
    path: /etc/htpasswd
`;

export interface LockedRegistry extends AsyncDisposable {
  /** Host and port, `localhost:<port>`. The engine uses no TLS for this host. */
  host: string;
  /** Pushes an image from the engine to the registry, and removes the temporary name of the image. */
  push(image: string, repository: string, tag: string): Promise<void>;
}

/** Starts a registry. Disposing it removes it with its contents. */
export async function lockedRegistry(docker: Docker = new Docker()): Promise<LockedRegistry> {
  await using client = createDockerClient(null);
  const image = await ensureDebianImage(client, {
    name: 'test-registry',
    packages: ['docker-registry'],
    binaries: ['/usr/bin/docker-registry'],
    entrypoint: ['/usr/bin/docker-registry', 'serve', '/etc/registry.yml'],
    files: { '/etc/registry.yml': CONFIG, '/etc/htpasswd': `${HTPASSWD}\n` },
  });
  const port = await freePort();
  const container = await docker.createContainer({
    name: `davit-test-registry-${randomBytes(4).toString('hex')}`,
    Image: image,
    ExposedPorts: { '5000/tcp': {} },
    HostConfig: { PortBindings: { '5000/tcp': [{ HostIp: '127.0.0.1', HostPort: String(port) }] } },
  });
  await container.start();
  const host = `localhost:${port}`;
  await answering(host);
  return {
    host,
    async push(from, repository, tag) {
      const repo = `${host}/${repository}`;
      await docker.getImage(from).tag({ repo, tag });
      const named = docker.getImage(`${repo}:${tag}`);
      const stream = await named.push({ authconfig: { ...ACCOUNT, serveraddress: host } });
      await new Promise<void>((resolve, reject) => {
        docker.modem.followProgress(stream, (error, messages: { error?: string }[] | null) => {
          const failure = error?.message ?? messages?.find((message) => message.error !== undefined)?.error;
          if (failure === undefined) resolve();
          else reject(new Error(`push ${repo}:${tag}: ${failure}`));
        });
      });
      await named.remove({ noprune: true });
    },
    [Symbol.asyncDispose]: async () => container.remove({ force: true, v: true }),
  };
}

async function answering(host: string): Promise<void> {
  await until(`the registry at ${host} answers`, async () => {
    const answer = await fetch(`http://${host}/v2/`).catch(() => null);
    return answer?.status === 401;
  });
}
