/** Addresses on the source host. A local directory stands for the same repositories, so that it uses them too. */
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

/** A file at a commit, as it is: `source_url` names `template.yaml`. */
export function fileUrl(owner: string, name: string, commit: string, path: string): string {
  return `${RAW}/${owner}/${name}/${commit}/${path}`;
}
