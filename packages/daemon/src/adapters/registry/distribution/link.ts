/**
 * Makes an image of one repository available in another repository. An app can then use one image of another app,
 * without access to all images of the other app. The registry itself can grant access only to whole repositories. The
 * layers are not copied, because the registry links the existing layers. The manifest is pushed by its digest and gets
 * no tag.
 */
import type { RegistryAccess } from '../registry.ts';
import { RegistryUnavailable } from '../registry.ts';
import { type RegistryAnswer, type RegistryClient, unexpected } from './client.ts';
import { needsOf } from './manifests.ts';
import { demandDigest, demandRepository } from './names.ts';

export interface Link {
  digest: string;
  from: string;
  to: string;
}

/**
 * Makes an image available in another repository.
 * @returns `false` if the repository `from` does not have the image
 * @throws RegistryUnavailable
 */
export async function linkImage(client: RegistryClient, link: Link): Promise<boolean> {
  const { digest, from, to } = link;
  if ((await client.stored('HEAD', to, digest)) !== null) return true;
  const manifest = await client.stored('GET', from, digest);
  if (manifest === null) return false;
  const needs = needsOf(manifest.body.toString());
  if (needs === null)
    throw new RegistryUnavailable('The registry sent an invalid manifest. Check the storage of the registry.');
  // The registry accepts an image index only if the repository already has all images of the index.
  for (const child of needs.manifests) await linkImage(client, { digest: child, from, to });
  for (const blob of needs.blobs) await mount(client, { ...link, digest: blob.digest }, blob.elsewhere);
  await put(client, link, manifest);
  return true;
}

async function mount(client: RegistryClient, { digest, from, to }: Link, isElsewhere: boolean): Promise<void> {
  const path = `/v2/${demandRepository(to)}/blobs/uploads/`;
  const query = new URLSearchParams({ mount: demandDigest(digest), from: demandRepository(from) });
  const grant = rights(from, to);
  const { status, headers } = await client.ask({ method: 'POST', path: `${path}?${query}`, grant });
  if (status === 201) return;
  if (status !== 202) throw unexpected(status, path);
  /*
   * Status 202 means that the registry did not find the layer in the repository `from`. The registry has therefore
   * started an upload. The upload is canceled, because the daemon has no layer data.
   */
  const upload = String(headers['docker-upload-uuid']);
  if (/^[0-9a-f-]{36}$/.test(upload)) await client.ask({ method: 'DELETE', path: `${path}${upload}`, grant });
  if (!isElsewhere) throw new RegistryUnavailable('The registry has lost a layer of the image. Push the image again.');
}

async function put(
  client: RegistryClient,
  { digest, from, to }: Link,
  { body, headers }: RegistryAnswer,
): Promise<void> {
  const path = `/v2/${demandRepository(to)}/manifests/${demandDigest(digest)}`;
  const sent = { type: headers['content-type'] ?? '', bytes: body };
  const { status } = await client.ask({ method: 'PUT', path, grant: rights(from, to), body: sent });
  if (status !== 201) throw unexpected(status, path);
}

function rights(from: string, to: string): RegistryAccess[] {
  return [
    { repository: from, actions: ['pull'] },
    { repository: to, actions: ['pull', 'push', 'delete'] },
  ];
}
