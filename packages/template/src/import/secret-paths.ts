import { cleanMountPath } from '../rules/mount-path.ts';
import { at, listOf, textOf, type Values } from './values.ts';

const FOLDER = '/run/secrets';

interface SecretFile {
  /** Name of the secret in the root key `secrets`. */
  source: string;
  /** Path in the container, or `null` if it is not valid. */
  path: string | null;
}

/** Returns the secrets of a Compose service with their paths in the container. */
export function secretPaths(service: Values): SecretFile[] {
  return listOf(service.secrets).map((entry) => {
    const source = textOf(entry) ?? textOf(at(entry, 'source')) ?? '';
    const target = textOf(at(entry, 'target')) ?? source;
    return { source, path: cleanMountPath(target.startsWith('/') ? target : `${FOLDER}/${target}`) };
  });
}
