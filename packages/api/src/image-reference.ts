/**
 * Canonical image references. Two image references have the same canonical form if and only if Docker pulls the same
 * manifest for both (docs/decisions/0018).
 */

/** Parts of an image reference in canonical form. */
export interface ImageReference {
  /**
   * Registry host in lower case, as `name` or `name:port`. For Docker Hub, the host is `docker.io`. `127.0.0.1` is
   * replaced with `localhost`.
   */
  host: string;
  /** Path of the repository in the registry. For official images of Docker Hub, the path starts with `library/`. */
  repository: string;
  /**
   * Image tag. `latest` if the image reference has neither a tag nor a digest. `null` if the reference has a digest,
   * because Docker then ignores the tag.
   */
  tag: string | null;
  /** Image digest in lower case: `sha256:…`, `sha384:…` or `sha512:…`. `null` if the image reference has no digest. */
  digest: string | null;
}

export const DOCKER_HUB = 'docker.io';
const DOCKER_HUB_ALIASES = [
  'docker.io',
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
  'hub.docker.com',
];
const OFFICIAL = 'library/';

/** Maximum length of registry host and repository path together, in characters. Docker has the same limit. */
const NAME_LENGTH = 255;
const HOST_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PORT = /^0*([1-9]\d{0,4})$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const REPOSITORY = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/;
/** Repository names that Docker interprets as the ID of a local image. */
const IMAGE_ID = /^library\/(?:sha256|sha384|sha512|[0-9a-f]{64})$/;
/**
 * Matches a Docker Hub repository such as `a.b/c`. Davit refuses such a name, because Docker would also use it for an
 * image in the registry `a.b`.
 */
const LIKE_A_HOST = /^(?:[^/]*\.[^/]*|localhost)\//;

/** Returns whether a text is a digest, such as `sha256:…`. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/**
 * Returns whether a text is the path of an image repository without the registry host, such as `acme/web`. The length
 * is not checked.
 */
export function isRepositoryPath(text: string): boolean {
  return REPOSITORY.test(text);
}

/**
 * Parses an image reference.
 * @returns `null` if the text is not an image reference, or if Docker would interpret it as an image ID
 */
export function canonicalReference(text: string): ImageReference | null {
  const [tagged = '', digest = null, ...more] = text.split('@');
  if (more.length > 0 || (digest !== null && !isDigest(digest))) return null;
  const colon = tagged.indexOf(':', tagged.lastIndexOf('/') + 1);
  const tag = colon < 0 ? null : tagged.slice(colon + 1);
  if (tag !== null && !TAG.test(tag)) return null;
  const named = canonicalName(colon < 0 ? tagged : tagged.slice(0, colon));
  return named && { ...named, tag: digest === null ? (tag ?? 'latest') : null, digest };
}

/**
 * Parses an image repository without tag and digest, such as `ghcr.io/acme/web`.
 * @returns `null` if the text has another format
 */
export function canonicalRepository(text: string): Pick<ImageReference, 'host' | 'repository'> | null {
  return text.includes('@') || text.includes(':', text.lastIndexOf('/') + 1) ? null : canonicalName(text);
}

/**
 * Returns the complete form of an image reference, such as `docker.io/library/nginx:1.29`. Davit uses only this form in
 * requests to Docker and registries.
 */
export function formatReference({ host, repository, tag, digest }: ImageReference): string {
  return `${host}/${repository}${digest === null ? `:${tag ?? 'latest'}` : `@${digest}`}`;
}

/**
 * Returns the short form of an image reference for users, such as `nginx:1.29`. Different images have different short
 * forms.
 */
export function familiarReference(reference: ImageReference): string {
  const { tag, digest } = reference;
  return `${familiarRepository(reference)}${digest === null ? `:${tag ?? 'latest'}` : `@${digest}`}`;
}

/** Returns an image name with a tag or a digest, such as `nginx:1.29` or `nginx@sha256:…`. */
export function withTag(repository: string, tag: string): string {
  return `${repository}${isDigest(tag) ? '@' : ':'}${tag}`;
}

/** Returns the tag or the digest at the end of an image name. */
export function tagOfName(image: string): string {
  const end = image.lastIndexOf('@');
  return image.slice((end < 0 ? image.lastIndexOf(':') : end) + 1);
}

/** Matches repository names with which the daemon pulls images by digest. No app has such a repository. */
const AT_GATEWAY = /^davit-[a-z0-9]{8}\/(?:[^/]*[._][^/]*\/|localhost\/|[0-9a-f]{64}$)/;

/**
 * Returns whether Davit uses a repository name internally. Apps must not use such a name, because the image may belong
 * to another project.
 */
export function isHeldName({ host, repository }: Pick<ImageReference, 'host' | 'repository'>): boolean {
  if (host === DOCKER_HUB) return /^davit-[a-z0-9]{8}\//.test(repository);
  return host.startsWith('localhost:') && AT_GATEWAY.test(repository);
}

/**
 * Returns the short form of an image repository for users, such as `nginx`. Different repositories have different short
 * forms.
 */
export function familiarRepository({ host, repository }: Pick<ImageReference, 'host' | 'repository'>): string {
  if (host !== DOCKER_HUB) return `${host}/${repository}`;
  const short = repository.startsWith(OFFICIAL) ? repository.slice(OFFICIAL.length) : repository;
  // The prefix of `library/a/b` is kept, because the short form `a/b` would be another repository.
  return short.includes('/') ? repository : short;
}

/**
 * Returns the short form of an image repository. Davit stores and compares image repositories in this form. Any other
 * text is returned unchanged.
 */
export function oneSpelling(text: string): string {
  const repository = canonicalRepository(text);
  return repository === null ? text : familiarRepository(repository);
}

/**
 * Parses the host of a registry, such as `ghcr.io` or `localhost:5000`. Returns `null` for any other text, such as a
 * user name, an IPv6 address or a host with a trailing dot.
 */
export function canonicalRegistryHost(text: string): string | null {
  const [name = '', port, ...more] = text.toLowerCase().split(':');
  if (more.length > 0 || !isHostName(name)) return null;
  const number = port === undefined ? null : Number(PORT.exec(port)?.[1] ?? Number.NaN);
  if (number !== null && !(number <= 65_535)) return null;
  if (number === null && !name.includes('.') && name !== 'localhost') return null;
  const host = name === '127.0.0.1' ? 'localhost' : name;
  // Port 443 of a loopback host is not removed. Without a port, Docker would also try port 80 of the loopback host.
  const isDefault = number === null || (number === 443 && host !== 'localhost' && !isLoopback(host));
  if (!isDefault) return `${host}:${number}`;
  return DOCKER_HUB_ALIASES.includes(host) ? DOCKER_HUB : host;
}

function canonicalName(name: string): Pick<ImageReference, 'host' | 'repository'> | null {
  if (name.length > NAME_LENGTH) return null;
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  /*
   * The first part of an image name is a host if it contains a dot or a port, or equals `localhost`. Docker uses the
   * same rule.
   */
  const hasHost = /[.:]/.test(first) || first === 'localhost';
  const host = hasHost ? canonicalRegistryHost(first) : DOCKER_HUB;
  const path = hasHost ? name.slice(slash + 1) : name;
  if (host === null || !isRepositoryPath(path)) return null;
  const repository = host === DOCKER_HUB && !path.includes('/') ? `${OFFICIAL}${path}` : path;
  const isAmbiguous = host === DOCKER_HUB && (IMAGE_ID.test(repository) || LIKE_A_HOST.test(repository));
  return isAmbiguous || host.length + 1 + repository.length > NAME_LENGTH ? null : { host, repository };
}

function isHostName(name: string): boolean {
  const labels = name.split('.');
  if (name.length > HOST_LENGTH || !labels.every((label) => LABEL.test(label))) return false;
  // IP addresses such as 127.1, 0x7f.1 and 2130706433 are refused, because programs interpret them differently.
  const isNumeric = /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '');
  // 0.0.0.0 is not allowed as a registry host, because it means all addresses of the server.
  return !isNumeric || (IPV4.test(name) && name !== '0.0.0.0');
}

function isLoopback(host: string): boolean {
  return /^127\.\d+\.\d+\.\d+$/.test(host);
}
