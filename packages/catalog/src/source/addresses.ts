/**
 * Builds URLs on github.com. The catalog can read Git repositories from a local folder in place of GitHub. These
 * repositories get such URLs too.
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

/** Returns GitHub's URL of a raw file at a commit. */
export function fileUrl(owner: string, name: string, commit: string, path: string): string {
  return `${RAW}/${owner}/${name}/${commit}/${path}`;
}
