/** Reads and writes the encrypted data of template installations in SQLite, and defines its TypeScript types. */
import type { InstallOrigin } from '@davit/api';
import type { Manifest } from '@davit/template';
import { SealBroken } from '../../../db/seal.ts';
import type { Reader } from '../../../db/store.ts';
import { type InstallRow, installById, type SealedInstall } from '../../../db/tables/template-install.ts';
import type { TemplatesDeps } from '../deps.ts';
import { sha256Of } from '../manifest/same.ts';
import type { Answers } from '../plan/answers.ts';
import { type InstallTarget, type Names, type Wanted, wantedOf } from '../plan/wanted.ts';

export { secretInputs } from '../plan/references.ts';

/** Existing databases and volumes that an installation uses instead of new databases and volumes. */
export interface Adopt {
  /**
   * Map from a database's key in the template to the existing database (`project/environment/name`) that the
   * installation uses.
   */
  databases: Readonly<Record<string, string>>;
  /**
   * Whether the installation may use existing volumes of deleted apps with the same reference
   * (`project/environment/name`).
   */
  volumes: boolean;
  /** Ids of the projects that the user could see at the time of the request. `null` means all projects. */
  projects?: readonly number[] | null;
  /**
   * Map from a database's key in the template to the id of the existing database to use. Absent if an earlier Davit
   * version saved the installation.
   */
  numbers?: Numbers;
}

/** Template release and all data that its installation needs. */
export interface InstalledRelease {
  title: string;
  origin: InstallOrigin;
  manifest: Manifest;
  names: Names;
  /** Answers of the user to all template inputs, including secrets. */
  answers: Answers;
  generated: string[];
  /**
   * Map from a template input to the id of the object store that the user selected. `undefined` if an earlier Davit
   * version saved the installation.
   */
  stores?: Numbers;
}

/** Map from a key in the template to the id of a database or object store. */
export type Numbers = Readonly<Record<string, number>>;

export interface ChosenThings {
  stores: Numbers;
  databases: Numbers;
}

export interface InstallRecord extends InstalledRelease {
  id: number;
  place: InstallTarget;
  adopt: Adopt;
}

/**
 * Returns the decrypted data of an installation.
 * @throws Error if there is no stored data, SealBroken if someone changed the data outside Davit
 */
export function installRecord(core: Pick<TemplatesDeps, 'sealer'>, db: Reader, id: number): InstallRecord {
  const row = installById(db, id);
  if (row === undefined) throw new Error(`installation ${id} is not in the database`);
  return recordIn(core, row);
}

export function recordIn(core: Pick<TemplatesDeps, 'sealer'>, row: InstallRow): InstallRecord {
  const { id, title, project, environment } = row;
  const sealed = JSON.parse(core.sealer.open(row.answers, answersLocation(id))) as Pick<
    InstalledRelease,
    'answers' | 'generated' | 'stores'
  >;
  return {
    ...{ id, title, place: { project, environment } },
    origin: originOf(row),
    // The type cast in `manifestOf` is safe. Only Davit writes the manifest, and only after a full validation.
    manifest: manifestOf(core, row),
    names: JSON.parse(row.names) as Names,
    adopt: JSON.parse(row.adopt) as Adopt,
    ...sealed,
  };
}

export function originOf({ origin }: InstallRow): InstallOrigin {
  // Use `null` as the default, because earlier Davit versions stored no `file_id`.
  return { file_id: null, ...(JSON.parse(origin) as Omit<InstallOrigin, 'file_id'>) };
}

/**
 * Returns the decrypted manifest of an installation.
 * @throws SealBroken if it cannot be decrypted or its SHA-256 differs, because someone changed the data outside Davit
 */
export function manifestOf({ sealer }: Pick<TemplatesDeps, 'sealer'>, row: InstallRow): Manifest {
  const location = manifestLocation(row.id);
  const manifest = JSON.parse(sealer.open(row.manifest, location)) as Manifest;
  if (sha256Of(manifest) === originOf(row).sha256) return manifest;
  throw new SealBroken(location, 'the template manifest does not have the SHA-256 of the installed release');
}

/** Returns the apps, databases and object stores of an installed release. */
export function wantedIn(record: InstalledRelease & Pick<InstallRecord, 'place' | 'adopt'>): Wanted {
  const { manifest, answers, names, place: target, adopt } = record;
  return wantedOf({ manifest, answers, names, place: target, adopt: adopt.databases });
}

/**
 * Encrypts the manifest and the user's inputs of a release. A manifest can contain secrets too, for example in its
 * files.
 */
export function sealInstalled(
  core: Pick<TemplatesDeps, 'sealer'>,
  id: number,
  { manifest, answers, generated, stores }: InstalledRelease,
): SealedInstall {
  return {
    manifest: sealManifest(core, id, JSON.stringify(manifest)),
    answers: core.sealer.seal(JSON.stringify({ answers, generated, stores }), answersLocation(id)),
  };
}

/** @param manifest manifest of the installation, as JSON */
export function sealManifest({ sealer }: Pick<TemplatesDeps, 'sealer'>, id: number, manifest: string): string {
  return sealer.seal(manifest, manifestLocation(id));
}

/** Encrypts the data of a template release, so that a later rollback can install the release again. */
export function sealRelease({ sealer }: Pick<TemplatesDeps, 'sealer'>, id: number, release: InstalledRelease): string {
  const { title, origin, manifest, names, answers, generated, stores } = release;
  return sealer.seal(
    JSON.stringify({ title, origin, manifest, names, answers, generated, stores }),
    previousLocation(id),
  );
}

export function previousOf(
  { sealer }: Pick<TemplatesDeps, 'sealer'>,
  { id, previous }: InstallRow,
): InstalledRelease | null {
  return previous === null ? null : (JSON.parse(sealer.open(previous, previousLocation(id))) as InstalledRelease);
}

const manifestLocation = (id: number) => `template_installs/${id}/manifest`;
const answersLocation = (id: number) => `template_installs/${id}/answers`;
const previousLocation = (id: number) => `template_installs/${id}/previous`;
