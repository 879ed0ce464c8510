/**
 * URLs on the source host. Repositories of a local directory get the same URLs, because the directory replaces the
 * host.
 */
const WEB = 'https://github.com';
const RAW = 'https://raw.githubusercontent.com';

export function repositoryUrl(owner: string, name: string): string {
  return `${WEB}/${owner}/${name}`;
}

export function avatarUrl(owner: string): string {
  return `${WEB}/${owner}.png`;
}

export function releaseUrl(owner: string, name: string, tag: string): string {
  return `${WEB}/${owner}/${name}/releases/tag/${tag.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns the URL of a raw file at a commit, such as `source_url` of `template.yaml`. */
export function fileUrl(owner: string, name: string, commit: string, path: string): string {
  return `${RAW}/${owner}/${name}/${commit}/${path}`;
}
