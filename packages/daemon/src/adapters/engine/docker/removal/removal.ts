/**
 * Removes all Docker objects of an instance. After an interruption, the next removal continues. The image with the
 * program nft is removed after the firewall rules, because their removal needs this image.
 */
import { FewAtOnce } from '@davit/service/few-at-once';
import type { ContainerInfo, NetworkInspectInfo } from 'dockerode';
import { LABEL } from '../../labels.ts';
import { assertDavitId } from '../../names.ts';
import type { EngineObject, InstanceRemoval, RemainingObject, RemovalOptions } from '../../removal.ts';
import { createDockerClient } from '../client/client.ts';
import { isStatus } from '../client/errors.ts';
import type { DockerContext, Log } from '../context.ts';
import { firewallTable } from '../networks/firewall-rules.ts';
import { firewallImage, removeFirewallTable } from './firewall-table.ts';
import { allImages, isInstanceImageName, isOwnImageName, isSharedTag, namesOf } from './own-images.ts';
import {
  nameOfContainer,
  ownContainers,
  ownNetworks,
  ownVolumes,
  removeOwnContainer,
  removeOwnNetwork,
  removeOwnVolume,
} from './own-objects.ts';

/** Number of containers that Docker ends at the same time. Each of them can need its whole stop timeout. */
const AT_ONCE = 16;

export interface DockerRemovalOptions {
  davitId: string;
  /** Address of Docker in the format of the variable DOCKER_HOST, or `null` for the default socket. */
  dockerHost: string | null;
  log?: Log;
}

/** Returns an object that can remove all Docker objects of an instance. Sends no request to Docker. */
export function createDockerRemoval({ davitId, dockerHost, log = SILENT }: DockerRemovalOptions): InstanceRemoval {
  assertDavitId(davitId);
  const client = createDockerClient(dockerHost);
  const context: DockerContext = { davitId, client, log };
  return {
    list: () => listObjects(context),
    remove: (options) => removeObjects(context, options),
    sharedTags: () => sharedTags(context),
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

const SILENT: Log = { warn: () => undefined, info: () => undefined };

async function listObjects(context: DockerContext): Promise<EngineObject[]> {
  const containers = (await ownContainers(context)).map(nameOfContainer).sort();
  const images = await allImages(context.client);
  const names = images.flatMap(namesOf).filter((name) => isOwnImageName(context.davitId, name));
  return [
    ...containers.map((name) => ({ kind: 'container', name }) as const),
    ...((await firewallImage(context, images)) === null ? [] : [firewallOf(context)]),
    ...(await ownNetworks(context)).map(({ Name: name }) => ({ kind: 'network', name }) as const),
    ...(await ownVolumes(context)).map((name) => ({ kind: 'volume', name }) as const),
    ...names.sort().map((name) => ({ kind: 'image', name }) as const),
  ];
}

function firewallOf({ davitId }: DockerContext): EngineObject {
  return { kind: 'firewall', name: firewallTable(davitId) };
}

async function removeObjects(context: DockerContext, options: RemovalOptions): Promise<RemainingObject[]> {
  const { volumes, onRemoved } = options;
  await removeContainers(context, onRemoved);
  const image = await firewallImage(context, await allImages(context.client));
  if (image !== null) {
    await removeFirewallTable(context, image);
    onRemoved(firewallOf(context));
  }
  const kept: RemainingObject[] = [];
  const note = (object: EngineObject, found: RemainingObject | null) =>
    found === null ? onRemoved(object) : void kept.push(found);
  for (const network of await ownNetworks(context))
    note({ kind: 'network', name: network.Name }, await removeOwnNetwork(context, network));
  for (const name of volumes ? await ownVolumes(context) : [])
    note({ kind: 'volume', name }, await removeOwnVolume(context, name));
  for (const name of (await allImages(context.client)).flatMap(namesOf))
    if (isOwnImageName(context.davitId, name)) note({ kind: 'image', name }, await removeImageName(context, name));
  return kept;
}

/**
 * Removes containers until there are none. A container that the daemon requested just before its end may appear later.
 */
async function removeContainers(context: DockerContext, onRemoved: RemovalOptions['onRemoved']): Promise<void> {
  const lanes = new FewAtOnce(AT_ONCE);
  for (;;) {
    const found = await ownContainers(context);
    if (found.length === 0) return;
    await Promise.all(
      found.map(async (container) => {
        using _ = await lanes.turn();
        await removeOwnContainer(context, container);
        onRemoved({ kind: 'container', name: nameOfContainer(container) });
      }),
    );
  }
}

/**
 * Removes one name of an image. Docker deletes the image with its last name, but not the untagged images that it was
 * built from, because they can be the build cache of a user.
 */
async function removeImageName({ client }: DockerContext, name: string): Promise<RemainingObject | null> {
  const query = { force: true, noprune: true };
  try {
    await client.call({ doing: 'untag image', method: 'DELETE', path: `/images/${name}`, query });
    return null;
  } catch (error) {
    if (isStatus(error, 404)) return null;
    if (!isStatus(error, 409)) throw error;
    // Docker may have removed the name although a running container uses the image.
    const remains = (await allImages(client)).some((image) => namesOf(image).includes(name));
    if (!remains) return null;
    return { kind: 'image', name, reason: 'A container that does not belong to the instance uses the image.' };
  }
}

async function sharedTags(context: DockerContext): Promise<string[] | null> {
  const { client, davitId } = context;
  const names = (await allImages(client)).flatMap(namesOf);
  const hasOtherImages = names.some((name) => isInstanceImageName(name) && !isOwnImageName(davitId, name));
  if (hasOtherImages || (await hasOtherObjects(context))) return null;
  return names.filter(isSharedTag).sort();
}

/** Returns whether containers, networks or volumes of another instance exist. */
async function hasOtherObjects({ client, davitId }: DockerContext): Promise<boolean> {
  const query = { filters: { label: [LABEL.instance] } };
  const isOther = (labels: Record<string, string> | null) => (labels?.[LABEL.instance] ?? davitId) !== davitId;
  const containers = await client.call<ContainerInfo[]>({
    ...{ doing: 'list containers', path: '/containers/json' },
    query: { all: true, ...query },
  });
  if (containers.some(({ Labels }) => isOther(Labels))) return true;
  const networks = await client.call<NetworkInspectInfo[]>({ doing: 'list networks', path: '/networks', query });
  if (networks.some(({ Labels }) => isOther(Labels ?? null))) return true;
  const { Volumes } = await client.call<{ Volumes: { Labels: Record<string, string> | null }[] | null }>({
    ...{ doing: 'list volumes', path: '/volumes' },
    query,
  });
  return (Volumes ?? []).some(({ Labels }) => isOther(Labels));
}
