/** What is on record of an installation, as the code works with it. */
import type { InstallOrigin } from '@davit/api';
import type { Manifest } from '@davit/template';
import { SealBroken } from '../../../db/seal.ts';
import type { Reader } from '../../../db/store.ts';
import { type InstallRow, installById } from '../../../db/tables/template-install.ts';
import type { TemplatesDeps } from '../deps.ts';
import { sha256Of } from '../manifest/same.ts';
import type { Answers } from '../plan/answers.ts';
import { type InstallTarget, type Names, type Wanted, wantedOf } from '../plan/wanted.ts';

export { secretInputs } from '../plan/references.ts';

/** What was adopted instead of being made. */
export interface Adopt {
  /** References by key. */
  databases: Readonly<Record<string, string>>;
  /** Kept volumes of apps with the same reference. */
  volumes: boolean;
  /** The projects that whoever asked could see; null: all. */
  projects?: readonly number[] | null;
  /** Numbers of the databases by key; absent in records of earlier versions of Davit. */
  numbers?: Numbers;
}

/** A release with everything that it takes to install it. */
export interface InstalledRelease {
  title: string;
  origin: InstallOrigin;
  manifest: Manifest;
  names: Names;
  /** Of every input, secrets too. */
  answers: Answers;
  generated: string[];
  /** Numbers of the object stores that inputs name, by input; absent in records of earlier versions of Davit. */
  stores?: Numbers;
}

/** Numbers of the things that were chosen by name: another thing may have such a name later. */
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

/** @throws Error for one that is not there, SealBroken for one that was changed outside Davit */
export function installRecord(core: Pick<TemplatesDeps, 'sealer'>, db: Reader, id: number): InstallRecord {
  const row = installById(db, id);
  if (row === undefined) throw new Error(`installation ${id} is not on record`);
  return recordIn(core, row);
}

export function recordIn({ sealer }: Pick<TemplatesDeps, 'sealer'>, row: InstallRow): InstallRecord {
  const { id, title, project, environment } = row;
  const sealed = JSON.parse(sealer.open(row.answers, answersPlace(id))) as Pick<
    InstalledRelease,
    'answers' | 'generated' | 'stores'
  >;
  return {
    ...{ id, title, place: { project, environment } },
    origin: originOf(row),
    // Written by this program after a full check, and by nobody else.
    manifest: manifestOf(row),
    names: JSON.parse(row.names) as Names,
    adopt: JSON.parse(row.adopt) as Adopt,
    ...sealed,
  };
}

export function originOf({ origin }: InstallRow): InstallOrigin {
  return JSON.parse(origin) as InstallOrigin;
}

/** Has the sum that is on record with it. @throws SealBroken for one that was changed outside Davit */
export function manifestOf(row: InstallRow): Manifest {
  const place = `template_installs/${row.id}/manifest`;
  try {
    const manifest = JSON.parse(row.manifest) as Manifest;
    if (sha256Of(manifest) === originOf(row).sha256) return manifest;
  } catch (cause) {
    throw new SealBroken(place, 'it cannot be read', { cause });
  }
  throw new SealBroken(place, 'it is another one than was checked');
}

/** What an installation is made of. */
export function wantedIn(record: InstalledRelease & Pick<InstallRecord, 'place' | 'adopt'>): Wanted {
  const { manifest, answers, names, place, adopt } = record;
  return wantedOf({ manifest, answers, names, place, adopt: adopt.databases });
}

export function sealAnswers({ sealer }: Pick<TemplatesDeps, 'sealer'>, id: number, release: InstalledRelease): string {
  const { answers, generated, stores } = release;
  return sealer.seal(JSON.stringify({ answers, generated, stores }), answersPlace(id));
}

/** What is gone back to. */
export function sealRelease({ sealer }: Pick<TemplatesDeps, 'sealer'>, id: number, release: InstalledRelease): string {
  const { title, origin, manifest, names, answers, generated, stores } = release;
  return sealer.seal(JSON.stringify({ title, origin, manifest, names, answers, generated, stores }), previousPlace(id));
}

export function previousOf(
  { sealer }: Pick<TemplatesDeps, 'sealer'>,
  { id, previous }: InstallRow,
): InstalledRelease | null {
  return previous === null ? null : (JSON.parse(sealer.open(previous, previousPlace(id))) as InstalledRelease);
}

const answersPlace = (id: number) => `template_installs/${id}/answers`;
const previousPlace = (id: number) => `template_installs/${id}/previous`;
