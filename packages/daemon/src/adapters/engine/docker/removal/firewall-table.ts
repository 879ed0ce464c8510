import type { ImageInfo } from 'dockerode';
import { EngineRefused } from '../../errors.ts';
import { LABEL } from '../../labels.ts';
import { namePrefix } from '../../names.ts';
import { runToEnd } from '../containers/run-once.ts';
import type { DockerContext } from '../context.ts';
import { instanceOfTag, PLATFORM_PREFIX } from '../images/platform-tags.ts';
import { findShared } from '../made/debian-image.ts';
import { FIREWALL_IMAGE } from '../networks/firewall.ts';
import { removalOf } from '../networks/firewall-rules.ts';

/** Time limit in milliseconds for nft. The program needs milliseconds, but Docker can be slow under load. */
const TIMEOUT_MS = 60_000;

/**
 * Returns the id of an image with the program nft, or `null`. Without such an image, no rules were ever set. An image of
 * another program with a similar name is not used, because the container may change the firewall of the server.
 */
export async function firewallImage(
  { client, davitId }: DockerContext,
  images: readonly ImageInfo[],
): Promise<string | null> {
  const start = `${PLATFORM_PREFIX}${FIREWALL_IMAGE.name}:`;
  const isOwn = (tag: string) => tag.startsWith(start) && instanceOfTag(tag) === davitId;
  const own = images.find(({ RepoTags }) => RepoTags?.some(isOwn));
  return own?.Id ?? (await findShared(client, FIREWALL_IMAGE))?.imageId ?? null;
}

/**
 * Removes the firewall rules of the instance from the kernel. Succeeds if there are no rules.
 * @throws EngineRefused if nft fails
 */
export async function removeFirewallTable({ client, davitId, log }: DockerContext, image: string): Promise<void> {
  const body = {
    ...{ Image: image, Cmd: [removalOf(davitId)], User: '0:0' },
    Labels: { [LABEL.instance]: davitId, [LABEL.kind]: 'firewall' },
    HostConfig: { NetworkMode: 'host', CapDrop: ['ALL'], CapAdd: ['NET_ADMIN'], ReadonlyRootfs: true },
  };
  const name = `${namePrefix(davitId)}firewall`;
  const { exitCode, output } = await runToEnd(client, { name, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (exitCode === 0) return;
  log.warn({ exitCode, output }, 'firewall rules could not be removed');
  throw new EngineRefused(`The firewall rules cannot be removed: the program nft exited with code ${exitCode}.`);
}
