/**
 * Loads templates without the catalog. A template comes from the text in an API request or from a file in a public Git
 * repository.
 */
import { DavitError, invalidField, type TemplateSource } from '@davit/api';
import { quote } from '@davit/service';
import { type FetchFunction, fetchBounded } from '../catalog/fetch-bounded.ts';
import { admitBytes, admitFile } from '../manifest/admit.ts';
import { type Offered, offered } from './offered.ts';

const TIMEOUT_MS = 20_000;
const FILE_BYTES = 256 * 1024;
const FILE = 'template.yaml';

/** Map from Git host to a function that returns the URL of `template.yaml` in a Git repository. */
const RAW = new Map<string, (repository: string, ref: string) => string>([
  ['github.com', (repository, ref) => `https://raw.githubusercontent.com/${repository}/${ref}/${FILE}`],
  ['gitlab.com', (repository, ref) => `https://gitlab.com/${repository}/-/raw/${ref}/${FILE}`],
  ['codeberg.org', (repository, ref) => `https://codeberg.org/api/v1/repos/${repository}/raw/${FILE}?ref=${ref}`],
]);

/**
 * Returns the template in the API request, or downloads it from a Git repository.
 * @throws DavitError template_invalid, catalog_unavailable, invalid_input
 */
export async function offeredByFile(
  source: TemplateSource,
  fetchFunction: FetchFunction,
  signal?: AbortSignal,
): Promise<Offered> {
  if ('file' in source) {
    const manifest = admitFile(source.file, 'The template file');
    return offered(manifest, { kind: 'file', file_id: source.file_id ?? null }, manifest.project);
  }
  const { repository, ref } = source;
  const url = fileAddress(repository, ref);
  const who = new URL(url).host;
  const bounds = { who, mostBytes: FILE_BYTES, types: null, timeoutMs: TIMEOUT_MS, accept: '*/*' };
  const { status, bytes } = await fetchBounded(url, bounds, fetchFunction, signal);
  if (status === 404) {
    throw invalidField(
      'source.repository',
      'not_found',
      `The repository has no ${FILE} at ${quote(ref)}, or is not public. Check the address and the name.`,
    );
  }
  if (status !== 200)
    throw new DavitError(
      'catalog_unavailable',
      `The file cannot be downloaded, because ${who} responded with status ${status}. Try again later.`,
    );
  const manifest = admitBytes(bytes, 'The template file in the Git repository');
  return offered(manifest, { kind: 'repository', repository, release: ref }, titleOf(repository));
}

/**
 * Returns the download address of a template file. An address that ends in `.yaml` or `.yml` is used unchanged.
 * @throws DavitError invalid_input if the Git host is not supported
 */
function fileAddress(repository: string, ref: string): string {
  if (!URL.canParse(repository))
    throw invalidField(
      'source.repository',
      'invalid_format',
      'must be an address, such as https://github.com/owner/name.',
    );
  const url = new URL(repository);
  if (/\.ya?ml$/.test(url.pathname)) return url.href;
  const raw = RAW.get(url.host);
  const path = url.pathname.replace(/^\/+|\/+$|\.git\/?$/g, '');
  if (raw !== undefined && /^[\w.-]+(\/[\w.-]+)+$/.test(path)) return raw(path, ref);
  const known = [...RAW.keys()].join(', ');
  const message = `must be a repository of ${known}, or the address of a ${FILE} itself.`;
  throw invalidField('source.repository', 'not_allowed', message);
}

function titleOf(repository: string): string {
  return (
    new URL(repository).pathname
      .split('/')
      .filter((part) => part !== '' && !part.endsWith('.yaml'))
      .at(-1) ?? 'Template'
  );
}
