/**
 * Loads template releases from the catalog. This instance validates the catalog's manifest again, because Davit does
 * not trust the catalog.
 */
import { DavitError, type TemplateDetail } from '@davit/api';
import { quote } from '@davit/service';
import type { Manifest } from '@davit/template';
import { type Catalog, type NamedRelease, repositoryIdOf } from '../catalog/catalog.ts';
import { type FetchFunction, fetchBounded } from '../catalog/fetch-bounded.ts';
import { admitBytes, admitManifest } from '../manifest/admit.ts';
import { isSameManifest, MANIFEST_BYTES } from '../manifest/same.ts';
import { type Offered, offered } from './offered.ts';

const TIMEOUT_MS = 20_000;
/**
 * Full Git commit hash (SHA-1 or SHA-256). Any other text could be a branch or path, and the URL would then be wrong.
 */
const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
const NAME = /^(?!\.{1,2}$)[\w.-]+$/;

export interface FromCatalog {
  owner: string;
  name: string;
  /** Git tag of the release. The default is the current release in the catalog. */
  release?: string | undefined;
}

/**
 * Returns a template release from the catalog.
 * @param verifyWith fetch function for the comparison with the file on GitHub, or `null` to skip the comparison
 * @throws DavitError not_found, template_invalid, catalog_unavailable
 */
export async function offeredByCatalog(
  catalog: Catalog,
  { owner, name, release }: FromCatalog,
  verifyWith: FetchFunction | null,
  signal?: AbortSignal,
): Promise<Offered> {
  const [detail, { releases }] = await Promise.all([
    catalog.template(owner, name, signal),
    catalog.releases(owner, name, signal),
  ]);
  demandRequested(detail, { owner, name });
  const tag = release ?? detail.release.tag;
  const found = releases.find((one) => one.tag === tag);
  if (found === undefined)
    throw new DavitError(
      'not_found',
      `The template has no release ${quote(tag)} that can be installed. List its releases.`,
    );
  if (!COMMIT.test(found.commit))
    throw new DavitError(
      'template_invalid',
      `The catalog names ${quote(found.commit)} as a commit, but this is not a valid commit id. Check the address of the catalog.`,
    );
  const manifest = admitManifest(
    await catalog.manifest(owner, name, tag, signal),
    'The template that the catalog sent',
  );
  if (verifyWith !== null) await demandSource(detail, found, manifest, verifyWith, signal);
  const from = {
    ...{ kind: 'catalog' as const, owner: detail.owner, name: detail.name, repository: detail.url },
    ...{ repository_id: repositoryIdOf(detail.icon_url), release: found.tag, commit: found.commit },
  };
  return offered(manifest, from, detail.title);
}

/**
 * Checks that the catalog's response is for the requested repository. A template from another repository must not be
 * verified and stored.
 */
function demandRequested(detail: TemplateDetail, { owner, name }: Pick<FromCatalog, 'owner' | 'name'>): void {
  const [asked, received] = [{ owner, name }, detail].map((one) => `${one.owner}/${one.name}`.toLowerCase());
  if (asked === received) return;
  throw new DavitError(
    'template_invalid',
    `The catalog sent a different repository than the requested ${quote(`${owner}/${name}`)}. Check the address of the catalog.`,
  );
}

/**
 * @throws DavitError template_invalid if the file in the Git repository differs from the manifest, or if its address is
 * wrong
 */
async function demandSource(
  { owner, name, url: page, source_url, release }: TemplateDetail,
  { commit }: NamedRelease,
  manifest: Manifest,
  fetchFunction: FetchFunction,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Build the file's URL from the Git repository and the commit. A URL from the catalog could lead to another file.
  const fileAt = (at: string) => `https://raw.githubusercontent.com/${owner}/${name}/${at}/template.yaml`;
  if (page.toLowerCase() !== `https://github.com/${owner}/${name}`.toLowerCase())
    throw new DavitError(
      'template_invalid',
      'The owner and name of the template in the catalog do not match its Git repository. Check the address of the catalog.',
    );
  if (!NAME.test(owner) || !NAME.test(name) || source_url !== fileAt(release.commit)) {
    throw new DavitError(
      'template_invalid',
      'The link to the template file in the catalog does not match the Git commit of the template release. Check the address of the catalog.',
    );
  }
  const url = fileAt(commit);
  const who = new URL(url).host;
  const bounds = { who, mostBytes: MANIFEST_BYTES, types: null, timeoutMs: TIMEOUT_MS, accept: '*/*' };
  const { status, bytes } = await fetchBounded(url, bounds, fetchFunction, signal);
  if (status !== 200) {
    throw new DavitError(
      'catalog_unavailable',
      `The template cannot be compared with its file in the Git repository, because ${who} responded with status ${status}. Try again later.`,
    );
  }
  if (isSameManifest(admitBytes(bytes, 'The template file of the release'), manifest)) return;
  throw new DavitError(
    'template_invalid',
    'The manifest in the catalog differs from template.yaml in the Git repository of the template. Check the address of the catalog.',
  );
}
