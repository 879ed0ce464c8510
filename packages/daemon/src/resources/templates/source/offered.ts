/** Template that a user can install, with its validated manifest. */
import type { InstallOrigin } from '@davit/api';
import type { Manifest } from '@davit/template';
import { sha256Of } from '../manifest/same.ts';

export interface Offered {
  origin: InstallOrigin;
  title: string;
  manifest: Manifest;
}

/**
 * Returns whether an installed template comes from the Git repository with the id `repositoryId`. Another owner can
 * reuse the name of a deleted repository, but the id is unique.
 */
export function isSameRepository(installed: InstallOrigin, repositoryId: string | null): boolean {
  return installed.repository_id === null || installed.repository_id === repositoryId;
}

export function offered(
  manifest: Manifest,
  from: Partial<InstallOrigin> & Pick<InstallOrigin, 'kind'>,
  title: string,
): Offered {
  const nothing = {
    ...{ owner: null, name: null, repository: null, repository_id: null },
    ...{ release: null, commit: null, file_id: null },
  };
  return { origin: { ...nothing, ...from, sha256: sha256Of(manifest) }, manifest, title: manifest.name || title };
}
