/** What the apps of an installation get at: databases and buckets, attached as everybody attaches them. */
import type { WantedApp } from '../../installs/plan/wanted.ts';
import { databaseByReference } from '../../store/managed-database.ts';
import { storeByName } from '../../store/object-store.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import { ofBucket, ofDatabase } from '../attachable.ts';
import { type AttachmentChange, changeAttachment } from '../attachment.ts';
import type { Build } from './build.ts';
import { storeNamed } from './stores.ts';

type Attachment = WantedApp['attach'][number];

/** Attaches all that the app is to have; what it has already stays. */
export function attachApp(build: Build, app: WantedApp): void {
  for (const attachment of app.attach) changeAttachment(build.core, build.ctx, changeOf(build, app, attachment, false));
}

/** Takes an attachment off; one that is not there any more is off. */
export function detachApp(build: Build, app: WantedApp, attachment: Attachment): void {
  changeAttachment(build.core, build.ctx, changeOf(build, app, attachment, true));
}

/** @throws TaskFailed when what is attached is not there */
function changeOf(build: Build, app: WantedApp, attachment: Attachment, isOff: boolean): AttachmentChange {
  const { kind, key, bucket } = attachment;
  const prefix = isOff ? null : attachment.prefix;
  const { core, wanted } = build;
  const { project, environment } = wanted;
  if (kind === 'database') {
    const reference = wanted.databases.find((database) => database.key === key)?.reference ?? '';
    const row = databaseByReference(core.store, reference);
    if (row === undefined) throw new TaskFailed(`The database ${reference} of ${app.reference} is not there any more.`);
    return ofDatabase(row, app.name, prefix);
  }
  const row = storeByName(core.store, storeNamed(wanted, build.values.inputs, key));
  if (row === undefined) throw new TaskFailed(`The object store ${key} of ${app.reference} is not there any more.`);
  return ofBucket(row, bucket ?? '', { project, environment, app: app.name }, prefix);
}
