/** A template to install, with a validated manifest. */
import type { InstallOrigin } from '@davit/api';
import type { Manifest } from '@davit/template';
import { sha256Of } from '../manifest/same.ts';

export interface Offered {
  origin: InstallOrigin;
  /** For display. */
  title: string;
  manifest: Manifest;
}

/**
 * Returns whether a repository of the catalog is the installed one. A stranger can register a name after its owner
 * gave it up.
 * @param repositoryId number of the repository that has the name now
 */
export function isSameRepository(installed: InstallOrigin, repositoryId: string | null): boolean {
  return installed.repository_id === null || installed.repository_id === repositoryId;
}

/** Combines a manifest with its origin. */
export function offered(
  manifest: Manifest,
  from: Partial<InstallOrigin> & Pick<InstallOrigin, 'kind'>,
  title: string,
): Offered {
  const nothing = { owner: null, name: null, repository: null, repository_id: null, release: null, commit: null };
  return { origin: { ...nothing, ...from, sha256: sha256Of(manifest) }, manifest, title: manifest.name || title };
}
