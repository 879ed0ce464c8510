/**
 * Image references in one canonical form. Two texts have the same canonical form if and only if the engine pulls the same
 * manifest of the same registry for both. Measured against Docker 20.10; docs/decisions/0018 has the table.
 */

/** Canonical parts of an image reference. */
export interface ImageReference {
  /** Lower case, `name` or `name:port`; `docker.io` for Docker Hub, `localhost` for 127.0.0.1. */
  host: string;
  /** Path in the registry; official images of Docker Hub include `library/`. */
  repository: string;
  /** `latest` if the text has neither tag nor digest; `null` if it has a digest, because the engine then ignores the tag. */
  tag: string | null;
  /** `sha256:…`, `sha384:…` or `sha512:…` in lower case; `null` if the text names a tag. */
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

/** The engine's limit for host and path together. */
const NAME_LENGTH = 255;
const HOST_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PORT = /^0*([1-9]\d{0,4})$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const REPOSITORY = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/;
/** The engine reads these, alone or before a colon, as the id of a local image instead of a name. */
const IMAGE_ID = /^library\/(?:sha256|sha384|sha512|[0-9a-f]{64})$/;
/**
 * No namespace of Docker Hub looks like a host. The engine lists `docker.io/a.b/c` as `a.b/c`, a name at the registry
 * `a.b`.
 */
const LIKE_A_HOST = /^(?:[^/]*\.[^/]*|localhost)\//;

/** Whether a text is the digest of a manifest, a layer or a configuration. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/**
 * Parses any spelling of an image: with or without host, tag and digest.
 * @returns `null` for text that names no image or that the engine would read as an image id
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
 * @returns `null` for anything else
 */
export function canonicalRepository(text: string): Pick<ImageReference, 'host' | 'repository'> | null {
  return text.includes('@') || text.includes(':', text.lastIndexOf('/') + 1) ? null : canonicalName(text);
}

/** Returns the full form, such as `docker.io/library/nginx:1.29`. Engines and registries get only this form. */
export function formatReference({ host, repository, tag, digest }: ImageReference): string {
  return `${host}/${repository}${digest === null ? `:${tag ?? 'latest'}` : `@${digest}`}`;
}

/** Returns the short form for people, such as `nginx:1.29`. The short form is also unique. */
export function familiarReference(reference: ImageReference): string {
  const { tag, digest } = reference;
  return `${familiarRepository(reference)}${digest === null ? `:${tag ?? 'latest'}` : `@${digest}`}`;
}

/**
 * Names by digest that the gateway of an instance gives. The part after the id is a host or a hash, which can never be
 * the slug of a project.
 */
const AT_GATEWAY = /^davit-[a-z0-9]{8}\/(?:[^/]*[._][^/]*\/|localhost\/|[0-9a-f]{64}$)/;

/**
 * Whether an instance on this engine keeps images of releases under this name. Such an image may belong to any project
 * on the engine, so no app may be deployed from it.
 */
export function isHeldName({ host, repository }: Pick<ImageReference, 'host' | 'repository'>): boolean {
  if (host === DOCKER_HUB) return /^davit-[a-z0-9]{8}\//.test(repository);
  return host.startsWith('localhost:') && AT_GATEWAY.test(repository);
}

/**
 * Returns the short form of a repository for people: `nginx` for `docker.io/library/nginx`. The short form is also
 * unique.
 */
export function familiarRepository({ host, repository }: Pick<ImageReference, 'host' | 'repository'>): string {
  if (host !== DOCKER_HUB) return `${host}/${repository}`;
  const short = repository.startsWith(OFFICIAL) ? repository.slice(OFFICIAL.length) : repository;
  // `library/a/b` without its first part would be the repository `a/b`.
  return short.includes('/') ? repository : short;
}

/**
 * Returns the spelling in which a repository is stored and compared. Text that does not name a repository is returned
 * unchanged.
 */
export function oneSpelling(text: string): string {
  const repository = canonicalRepository(text);
  return repository === null ? text : familiarRepository(repository);
}

/**
 * Parses the host of a registry, with or without a port. The function refuses user info, IPv6 addresses, trailing dots,
 * and names without a dot and port other than `localhost`. An IPv4 address must have four plain decimal numbers.
 * @returns `null` for text that no image reference can have as its host
 */
export function canonicalRegistryHost(text: string): string | null {
  const [name = '', port, ...more] = text.toLowerCase().split(':');
  if (more.length > 0 || !isHostName(name)) return null;
  const number = port === undefined ? null : Number(PORT.exec(port)?.[1] ?? Number.NaN);
  if (number !== null && !(number <= 65_535)) return null;
  if (number === null && !name.includes('.') && name !== 'localhost') return null;
  const host = name === '127.0.0.1' ? 'localhost' : name;
  // The engine also connects to loopback registries without TLS, where port 443 is not the default port.
  const isDefault = number === null || (number === 443 && host !== 'localhost' && !isLoopback(host));
  if (!isDefault) return `${host}:${number}`;
  return DOCKER_HUB_ALIASES.includes(host) ? DOCKER_HUB : host;
}

function canonicalName(name: string): Pick<ImageReference, 'host' | 'repository'> | null {
  if (name.length > NAME_LENGTH) return null;
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  // The rule of the engine: only a dot, a port or exactly `localhost` makes the first part a host.
  const hasHost = /[.:]/.test(first) || first === 'localhost';
  const host = hasHost ? canonicalRegistryHost(first) : DOCKER_HUB;
  const path = hasHost ? name.slice(slash + 1) : name;
  if (host === null || !REPOSITORY.test(path)) return null;
  const repository = host === DOCKER_HUB && !path.includes('/') ? `${OFFICIAL}${path}` : path;
  const isAmbiguous = host === DOCKER_HUB && (IMAGE_ID.test(repository) || LIKE_A_HOST.test(repository));
  return isAmbiguous || host.length + 1 + repository.length > NAME_LENGTH ? null : { host, repository };
}

function isHostName(name: string): boolean {
  const labels = name.split('.');
  if (name.length > HOST_LENGTH || !labels.every((label) => LABEL.test(label))) return false;
  // Resolvers disagree on 127.1, 0x7f.1 and 2130706433; and 0.0.0.0 is every address of the machine.
  const isNumeric = /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '');
  return !isNumeric || (IPV4.test(name) && name !== '0.0.0.0');
}

function isLoopback(host: string): boolean {
  return /^127\.\d+\.\d+\.\d+$/.test(host);
}
