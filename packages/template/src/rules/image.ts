/** What an image's name says beside its path. */
export interface ImageName {
  /** `sha256:…`: exactly that image, whatever a tag says. */
  digest?: string;
  /** The registry answers at a port of its own. */
  registryPort?: number;
}

/** Registries take no longer names. */
const LONGEST = 255;
const DIGEST = /^(.*)@(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;
const REGISTRY_WITH_PORT = /^((?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)|\[[0-9A-Fa-f:]+\]):(\d{1,5})$/;
const REGISTRY = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const PATH_PART = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/;

/**
 * Reads the name of an image without a tag: `nginx`, `ghcr.io/a/b`, `registry.example:5000/a`, each also with
 * `@sha256:…`. Null: a registry could not be asked for it.
 */
export function parseImageName(image: string): ImageName | null {
  const [, named = image, digest] = DIGEST.exec(image) ?? [];
  if (named.length > LONGEST) return null;
  const parts = named.split('/');
  const [first = ''] = parts;
  const port = REGISTRY_WITH_PORT.exec(first)?.[2];
  const path = hasRegistry(first, parts.length) ? parts.slice(1) : parts;
  if (path.length === 0 || !path.every((part) => PATH_PART.test(part))) return null;
  if (port !== undefined && !isPort(Number(port))) return null;
  return {
    ...(digest !== undefined && { digest }),
    ...(port !== undefined && { registryPort: Number(port) }),
  };
}

/** The registry that an image comes from; null: Docker Hub, which needs no name. */
export function registryOf(image: string): string | null {
  const [first = '', ...rest] = image.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : null;
}

function hasRegistry(first: string, parts: number): boolean {
  if (parts < 2) return false;
  if (REGISTRY_WITH_PORT.test(first)) return true;
  return REGISTRY.test(first) && (first.includes('.') || first === 'localhost');
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}
