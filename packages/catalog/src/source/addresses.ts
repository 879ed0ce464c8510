/** Builds URLs on github.com. A catalog that reads Git repositories from a local folder uses the same URLs. */
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

/** Returns the URL of a file's content at a commit on GitHub. */
export function fileUrl(owner: string, name: string, commit: string, path: string): string {
  return `${RAW}/${owner}/${name}/${commit}/${path}`;
}
