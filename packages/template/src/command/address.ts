import { UnreadableError } from './io.ts';

const RAW = 'https://raw.githubusercontent.com';

export function isAddress(target: string): boolean {
  return /^https?:\/\//i.test(target);
}

/**
 * Converts the URL of a GitHub page to the URL of the template file's raw content. Other URLs are not changed.
 * @throws UnreadableError for an invalid URL, or a page that shows no file
 */
export function rawAddress(target: string): string {
  if (!URL.canParse(target)) {
    throw new UnreadableError(`“${target}” is not an address. Write an address such as https://host/template.yaml.`);
  }
  const url = new URL(target);
  if (!/^(?:www\.)?github\.com$/.test(url.hostname)) return url.href;
  const [owner, repository, kind, ...rest] = url.pathname.split('/').filter((part) => part !== '');
  if (owner === undefined || repository === undefined) throw new UnreadableError(noFile(target));
  const root = `${RAW}/${owner}/${repository.replace(/\.git$/, '')}`;
  const [ref, ...path] = rest;
  if (kind === undefined) return `${root}/HEAD/template.yaml`;
  if (kind === 'releases' && ref === 'tag' && path.length > 0) return `${root}/${path.join('/')}/template.yaml`;
  if (ref !== undefined && kind === 'tree') return [root, ref, ...path, 'template.yaml'].join('/');
  if (ref !== undefined && path.length > 0 && (kind === 'blob' || kind === 'raw'))
    return [root, ref, ...path].join('/');
  throw new UnreadableError(noFile(target));
}

function noFile(target: string): string {
  return `${target} does not name a file. Use the page of a repository, a release or a file.`;
}
