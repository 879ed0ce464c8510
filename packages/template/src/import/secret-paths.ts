import { cleanMountPath } from '../rules/mount-path.ts';
import { at, listOf, textOf, type Values } from './values.ts';

const FOLDER = '/run/secrets';

interface SecretFile {
  /** Name of the secret in the root key `secrets` of the Compose file. */
  source: string;
  /** Path of the secret in the container. `null` if the path is invalid. */
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
