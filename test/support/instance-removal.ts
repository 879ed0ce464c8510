import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';

/** How long the engine may take to end a container that it is removing. */
const GONE_MS = 60_000;
const POLL_MS = 50;

/** What an instance has at the engine, by kind; names, and tags of images. */
export interface Belongings {
  containers: { id: string; name: string; kind: string; deployment: string | null }[];
  networks: string[];
  volumes: string[];
  tags: string[];
}

/** Everything that carries an instance's id, by whichever way it came to be. */
export async function belongingsOf(docker: Docker, davitId: string): Promise<Belongings> {
  const filters = { label: [`davit.instance=${davitId}`] };
  const containers = await docker.listContainers({ all: true, filters });
  const networks = await docker.listNetworks({ filters });
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  const tags = (await docker.listImages()).flatMap((image) => image.RepoTags ?? []);
  return {
    containers: containers.map(({ Id, Names, Labels }) => ({
      id: Id,
      name: Names[0]?.slice(1) ?? '',
      kind: Labels['davit.kind'] ?? '',
      deployment: Labels['davit.deployment'] ?? null,
    })),
    networks: networks.map((network) => network.Name),
    volumes: (volumes ?? []).map((volume) => volume.Name),
    tags: tags.filter((tag) => tag.startsWith(`davit-${davitId}/`)),
  };
}

/** Removes all of it: what is gone already, or goes meanwhile, is fine. */
export async function removeEverythingOf(docker: Docker, davitId: string): Promise<void> {
  await removeContainersOf(docker, davitId);
  const { networks, volumes, tags } = await belongingsOf(docker, davitId);
  await Promise.all([
    ...networks.map((name) => gone(docker.getNetwork(name).remove())),
    ...volumes.map((name) => gone(docker.getVolume(name).remove())),
    // By the tag: the image itself belongs to whoever made it.
    ...tags.map((tag) => gone(docker.getImage(tag).remove({ noprune: true }))),
  ]);
}

/**
 * Removes its containers until there are none: one that somebody else is removing holds its network and its volumes until
 * it is gone, and one that was asked for before the instance ended may come into being later.
 * @throws Error naming those that stay
 */
async function removeContainersOf(docker: Docker, davitId: string): Promise<void> {
  const deadline = performance.now() + GONE_MS;
  for (;;) {
    const { containers } = await belongingsOf(docker, davitId);
    if (containers.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(`still there after ${GONE_MS} ms: ${containers.map(({ name }) => name).join(', ')}`);
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
