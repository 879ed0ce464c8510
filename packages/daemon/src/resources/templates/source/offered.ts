/** A template that is to be installed, whose manifest was checked here. */
import type { InstallOrigin } from '@davit/api';
import type { Manifest } from '@davit/template';
import { sha256Of } from '../manifest/same.ts';

export interface Offered {
  origin: InstallOrigin;
  /** For display. */
  title: string;
  manifest: Manifest;
}

/** Puts together what is known of a template and its manifest. */
export function offered(
  manifest: Manifest,
  from: Partial<InstallOrigin> & Pick<InstallOrigin, 'kind'>,
  title: string,
): Offered {
  const nothing = { owner: null, name: null, repository: null, repository_id: null, release: null, commit: null };
  return { origin: { ...nothing, ...from, sha256: sha256Of(manifest) }, manifest, title: manifest.name || title };
}
