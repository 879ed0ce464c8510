/**
 * Lists and removes the containers, networks and volumes of an instance. The label decides, because other programs can
 * create objects with similar names.
 */
import type { ContainerInfo, NetworkInspectInfo } from 'dockerode';
import type { RemainingObject } from '../../removal.ts';
import { SLOW_CALL_MS } from '../client/client.ts';
import { ignoringGone, isStatus } from '../client/errors.ts';
import { removeContainer } from '../containers/ending.ts';
import { type DockerContext, ownFilter } from '../context.ts';

/** Maximum time in milliseconds for the end of a container. Its own settings usually end the wait earlier. */
const STOP_TIMEOUT_MS = 10 * 60_000;

export async function ownContainers({ client, davitId }: DockerContext): Promise<ContainerInfo[]> {
  const query = { all: true, filters: ownFilter(davitId) };
  return client.call<ContainerInfo[]>({ doing: 'list containers', path: '/containers/json', query });
}

export function nameOfContainer({ Names, Id }: ContainerInfo): string {
  return Names[0]?.slice(1) ?? Id;
}

/**
 * Removes a container and its anonymous volumes. Docker first sends the container's stop signal and waits as long as the
 * container's settings say, so that a database can write its data.
 */
export async function removeOwnContainer(context: DockerContext, { Id }: ContainerInfo): Promise<void> {
  const path = `/containers/${Id}/stop`;
  const stop = { doing: 'stop container', method: 'POST', path, timeoutMs: STOP_TIMEOUT_MS } as const;
  // Docker refuses to stop a paused container, but it removes the container.
  await ignoringGone(context.client.call(stop)).catch((error: unknown) => {
    if (!isStatus(error, 409, 500)) throw error;
  });
  await removeContainer(context, Id);
}

/** Returns the networks of the instance. Their ids are used, because several networks can have the same name. */
export async function ownNetworks({ client, davitId }: DockerContext): Promise<NetworkInspectInfo[]> {
  const query = { filters: ownFilter(davitId) };
  const found = await client.call<NetworkInspectInfo[]>({ doing: 'list networks', path: '/networks', query });
  return found.sort((a, b) => (a.Name < b.Name ? -1 : 1));
}

/** Removes a network. Returns the reason if Docker keeps the network. */
export async function removeOwnNetwork(
  { client }: DockerContext,
  { Id, Name: name }: NetworkInspectInfo,
): Promise<RemainingObject | null> {
  const path = `/networks/${Id}`;
  try {
    await ignoringGone(client.call({ doing: 'remove network', method: 'DELETE', path }));
    return null;
  } catch (error) {
    if (!isStatus(error, 403, 409)) throw error;
    const info = await client.call<NetworkInspectInfo>({ doing: 'inspect network', path });
    const users = Object.values(info.Containers ?? {}).map((container) => container.Name);
    return { kind: 'network', name, reason: networkReason(users) };
  }
}

function networkReason(users: readonly string[]): string {
  // If a container is removed while it starts, Docker can keep its endpoint until Docker restarts.
  if (users.length === 0)
    return 'Docker still has an endpoint of a removed container. Restart Docker, then run the command again.';
  return `Containers that do not belong to the instance use the network: ${users.join(', ')}.`;
}

export async function ownVolumes({ client, davitId }: DockerContext): Promise<string[]> {
  const call = { doing: 'list volumes', path: '/volumes', query: { filters: ownFilter(davitId) } };
  const { Volumes } = await client.call<{ Volumes: { Name: string }[] | null }>(call);
  return (Volumes ?? []).map(({ Name }) => Name).sort();
}

/** Removes a volume with its data. Returns the reason if Docker keeps the volume. */
export async function removeOwnVolume({ client }: DockerContext, name: string): Promise<RemainingObject | null> {
  try {
    const call = { doing: 'remove volume', method: 'DELETE', path: `/volumes/${name}` } as const;
    await ignoringGone(client.call({ ...call, timeoutMs: SLOW_CALL_MS }));
    return null;
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
    const query = { all: true, filters: { volume: [name] } };
    const users = await client.call<ContainerInfo[]>({ doing: 'list containers', path: '/containers/json', query });
    const names = users.map(nameOfContainer).join(', ');
    const reason =
      names === ''
        ? 'Another program uses the volume.'
        : `Containers that do not belong to the instance use the volume: ${names}.`;
    return { kind: 'volume', name, reason };
  }
}
