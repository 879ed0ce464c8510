import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '@davit/testkit/waiting';
import type Docker from 'dockerode';
import { debianImageReference } from '../../packages/daemon/src/adapters/engine/docker/made/debian-image.ts';
import { FIREWALL_IMAGE } from '../../packages/daemon/src/adapters/engine/docker/networks/firewall.ts';
import { removalOf } from '../../packages/daemon/src/adapters/engine/docker/networks/firewall-rules.ts';

/** Time in milliseconds between two checks whether the engine has removed a container. */
const POLL_MS = 50;

/** Objects of an instance at the engine, by kind: names, and tags of images. */
export interface Belongings {
  containers: { id: string; name: string; kind: string; deployment: string | null }[];
  networks: string[];
  /** Volumes without the volume that binds the instance to its data directory. */
  volumes: string[];
  home: string[];
  tags: string[];
}

/** Returns all objects with the id of an instance, however they were created. */
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

/** Removes all objects of an instance. Objects that are already gone, or disappear in the meantime, cause no error. */
export async function removeEverythingOf(docker: Docker, davitId: string): Promise<void> {
  await removeContainersOf(docker, davitId);
  await Promise.all([removeFirewallOf(docker, davitId), removeOthersOf(docker, davitId)]);
}

/** Removes networks, volumes and tags, which containers no longer use. */
async function removeOthersOf(docker: Docker, davitId: string): Promise<void> {
  const images = await platformTagsOf(docker, davitId);
  const { networks, volumes, home, tags } = await belongingsOf(docker, davitId);
  await Promise.all([
    ...networks.map((name) => removeNetwork(docker, name)),
    ...[...volumes, ...home].map((name) => gone(docker.getVolume(name).remove())),
    // Only the tag is removed, because other instances may use the image itself.
    ...[...tags, ...images].map((tag) => gone(docker.getImage(tag).remove({ noprune: true }))),
  ]);
}

/**
 * Removes a network. If a container was removed while it started, Docker can keep its endpoint until dockerd restarts.
 * Then the network stays, with a printed remark.
 */
async function removeNetwork(docker: Docker, name: string): Promise<void> {
  const network = docker.getNetwork(name);
  try {
    await gone(network.remove());
  } catch (error) {
    const { Containers } = (await network.inspect()) as { Containers?: object };
    if ((error as { statusCode?: number }).statusCode !== 403 || Object.keys(Containers ?? {}).length > 0) throw error;
    console.log(`The network ${name} stays, because Docker keeps an endpoint of a container that is gone.`);
  }
}

/** Returns the tags with which the instance keeps images that instances share. */
async function platformTagsOf(docker: Docker, davitId: string): Promise<string[]> {
  const tags = (await docker.listImages()).flatMap((image) => image.RepoTags ?? []);
  return tags.filter((tag) => tag.startsWith('davit/') && tag.includes(`:${davitId}-`));
}

/** Removes the firewall rules of an instance. */
export async function removeFirewallOf(docker: Docker, davitId: string): Promise<void> {
  const image = debianImageReference(FIREWALL_IMAGE);
  // If the image is missing, no rules were ever set.
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
 * Removes the containers of an instance until there are none. A container that another program is removing holds its
 * network and its volumes until it is gone. A container that was requested before the instance ended may appear later.
 * @throws Error with the names of the remaining containers
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

/** Removes all names under which the engine has images of an instance's registry. */
export async function removeImagesOf(docker: Docker, registryPort: number): Promise<void> {
  const images = await docker.listImages();
  const names = images.flatMap(({ RepoTags, RepoDigests }) => [...(RepoTags ?? []), ...(RepoDigests ?? [])]);
  for (const name of names) {
    // The last digest of an image disappears with its last tag.
    if (name.startsWith(`localhost:${registryPort}/`)) await gone(docker.getImage(name).remove({ force: true }));
  }
}

/** Returns the ids of the images that pushes to the registry leave in the user's Docker. */
export async function imagesOfPushes(docker: Docker, registryPort: number): Promise<string[]> {
  const images = await docker.listImages();
  const isPushed = (tag: string) => tag.startsWith(`localhost:${registryPort}/`);
  return images.filter(({ RepoTags }) => RepoTags?.some(isPushed)).map(({ Id }) => Id);
}

async function gone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    const { statusCode, message } = error as { statusCode?: number; message: string };
    if (statusCode !== 404 && !/already in progress/.test(message)) throw error;
  }
}
