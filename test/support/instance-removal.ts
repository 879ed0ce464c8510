import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '@davit/testkit/waiting';
import type Docker from 'dockerode';
import { debianImageReference } from '../../packages/daemon/src/adapters/engine/docker/made/debian-image.ts';
import { FIREWALL_IMAGE } from '../../packages/daemon/src/adapters/engine/docker/networks/firewall.ts';
import { removalOf } from '../../packages/daemon/src/adapters/engine/docker/networks/firewall-rules.ts';

/** How long the engine may take to end a container that it is removing. */
const POLL_MS = 50;

/** What an instance has at the engine, by kind; names, and tags of images. */
export interface Belongings {
  containers: { id: string; name: string; kind: string; deployment: string | null }[];
  networks: string[];
  /** Without the one that says where the instance is at home. */
  volumes: string[];
  home: string[];
  tags: string[];
}

/** Everything that carries an instance's id, by whichever way it came to be. */
export async function belongingsOf(docker: Docker, davitId: string): Promise<Belongings> {
  const filters = { label: [`davit.instance=${davitId}`] };
  const containers = await docker.listContainers({ all: true, filters });
  const networks = await docker.listNetworks({ filters });
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  const tags = (await docker.listImages()).flatMap((image) => image.RepoTags ?? []);
  const names = (volumes ?? []).map((volume) => volume.Name);
  return {
    containers: containers.map(({ Id, Names, Labels }) => ({
      id: Id,
      name: Names[0]?.slice(1) ?? '',
      kind: Labels['davit.kind'] ?? '',
      deployment: Labels['davit.deployment'] ?? null,
    })),
    networks: networks.map((network) => network.Name),
    volumes: names.filter((name) => !name.includes('-home-')),
    home: names.filter((name) => name.includes('-home-')),
    tags: tags.filter((tag) => tag.startsWith(`davit-${davitId}/`)),
  };
}

/** Removes all of it: what is gone already, or goes meanwhile, is fine. */
export async function removeEverythingOf(docker: Docker, davitId: string): Promise<void> {
  await removeContainersOf(docker, davitId);
  await removeFirewallOf(docker, davitId);
  const images = await platformTagsOf(docker, davitId);
  const { networks, volumes, home, tags } = await belongingsOf(docker, davitId);
  await Promise.all([
    ...networks.map((name) => gone(docker.getNetwork(name).remove())),
    ...[...volumes, ...home].map((name) => gone(docker.getVolume(name).remove())),
    // By the tag: the image itself belongs to whoever made it.
    ...[...tags, ...images].map((tag) => gone(docker.getImage(tag).remove({ noprune: true }))),
  ]);
}

/** Tags by which it keeps images that instances share. */
async function platformTagsOf(docker: Docker, davitId: string): Promise<string[]> {
  const tags = (await docker.listImages()).flatMap((image) => image.RepoTags ?? []);
  return tags.filter((tag) => tag.startsWith('davit/') && tag.includes(`:${davitId}-`));
}

/** Removes its firewall rules as docs/how-to/start-stop-and-remove.md describes. */
export async function removeFirewallOf(docker: Docker, davitId: string): Promise<void> {
  const image = debianImageReference(FIREWALL_IMAGE);
  // Without the image nothing has set rules.
  if (!(await docker.listImages()).some(({ RepoTags }) => RepoTags?.includes(image))) return;
  const container = await docker.createContainer({
    name: `davit-${davitId}-firewall-removal`,
    Image: image,
    Cmd: [removalOf(davitId)],
    HostConfig: { NetworkMode: 'host', CapDrop: ['ALL'], CapAdd: ['NET_ADMIN'] },
  });
  try {
    await container.start();
    const { StatusCode } = (await container.wait()) as { StatusCode: number };
    if (StatusCode !== 0) throw new Error(`remove the firewall rules of ${davitId}: nft ended with ${StatusCode}`);
  } finally {
    await gone(container.remove({ force: true }));
  }
}

/**
 * Removes its containers until there are none: one that somebody else is removing holds its network and its volumes until
 * it is gone, and one that was asked for before the instance ended may come into being later.
 * @throws Error naming those that stay
 */
async function removeContainersOf(docker: Docker, davitId: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { containers } = await belongingsOf(docker, davitId);
    if (containers.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(`still there after ${PATIENCE_MS} ms: ${containers.map(({ name }) => name).join(', ')}`);
    }
    await Promise.all(containers.map(({ id }) => gone(docker.getContainer(id).remove({ force: true, v: true }))));
    await delay(POLL_MS);
  }
}

/** Removes every name under which the engine has images of an instance's own registry. */
export async function removeImagesOf(docker: Docker, registryPort: number): Promise<void> {
  const images = await docker.listImages();
  const names = images.flatMap(({ RepoTags, RepoDigests }) => [...(RepoTags ?? []), ...(RepoDigests ?? [])]);
  for (const name of names) {
    // The last digest of an image goes with its last tag.
    if (name.startsWith(`localhost:${registryPort}/`)) await gone(docker.getImage(name).remove({ force: true }));
  }
}

async function gone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    const { statusCode, message } = error as { statusCode?: number; message: string };
    if (statusCode !== 404 && !/already in progress/.test(message)) throw error;
  }
}
