/** What the apps of an installation get at: databases and buckets, attached as everybody attaches them. */
import { DavitError } from '@davit/api';
import type { WantedApp } from '../../installs/plan/wanted.ts';
import { databaseByReference } from '../../store/managed-database.ts';
import { storeByName } from '../../store/object-store.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import { ofBucket, ofDatabase } from '../attachable.ts';
import { type AttachmentChange, changeAttachment } from '../attachment.ts';
import type { Build } from './build.ts';
import { storeNamed } from './stores.ts';

type Attachment = WantedApp['attach'][number];

/** Attaches all that the app is to have; what it has already stays. @throws TaskFailed when what is attached is not there */
export function attachApp(build: Build, app: WantedApp): void {
  for (const attachment of app.attach) {
    const change = changeOf(build, app, attachment, attachment.prefix);
    if (change === null)
      throw new TaskFailed(`${attachment.key}, which ${app.reference} gets at, is not there any more.`);
    changeAttachment(build.core, build.ctx, change);
  }
}

/** Takes an attachment off; one that is not there any more is off. */
export function detachApp(build: Build, app: WantedApp, attachment: Attachment): void {
  const change = changeOf(build, app, attachment, null);
  if (change === null) return;
  try {
    changeAttachment(build.core, build.ctx, change);
  } catch (error) {
    if (!(error instanceof DavitError) || error.code !== 'not_found') throw error;
  }
}

/** Null: what is attached is not there. */
function changeOf(
  { core, wanted, values }: Build,
  app: WantedApp,
  { kind, key, bucket }: Attachment,
  prefix: string | null,
): AttachmentChange | null {
  const { project, environment } = wanted;
  if (kind === 'database') {
    const reference = wanted.databases.find((database) => database.key === key)?.reference ?? '';
    const row = databaseByReference(core.store, reference);
    return row === undefined ? null : ofDatabase(row, app.name, prefix);
  }
  const row = storeByName(core.store, storeNamed(wanted, values.inputs, key));
  return row === undefined ? null : ofBucket(row, bucket ?? '', { project, environment, app: app.name }, prefix);
}
