/** Attaches databases and buckets to the apps of an installation, with the same function as the HTTP API. */
import { DavitError } from '@davit/api';
import { type AttachmentChange, changeAttachment } from '../../attachments/attachment.ts';
import { databaseAttachment, ofBucket } from '../../attachments/targets.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import type { WantedApp } from '../plan/wanted.ts';
import { appHad } from './apps.ts';
import type { Build } from './build.ts';
import { hadDatabase } from './databases.ts';
import { seenStore, storeOf } from './stores.ts';

type Attachment = WantedApp['attach'][number];

/**
 * Attaches all required databases and buckets to an app. Does not change existing attachments.
 * @throws TaskFailed if the database or object store does not exist
 */
export function attachApp(build: Build, app: WantedApp): void {
  for (const attachment of app.attach) {
    const change = changeOf(build, app, attachment, attachment.prefix);
    appHad(build, app.reference);
    if (change === null)
      throw new TaskFailed(
        `The database or object store ${attachment.key} does not exist anymore, so it cannot be attached to the app ${app.reference}.`,
      );
    changeAttachment(build.core, build.ctx, change);
  }
}

/** Removes an attachment of an app. Does nothing if the attachment does not exist any more. */
export function detachApp(build: Build, app: WantedApp, attachment: Attachment): void {
  const change = changeOf(build, app, attachment, null);
  if (change === null) return;
  try {
    changeAttachment(build.core, build.ctx, change);
  } catch (error) {
    if (!(error instanceof DavitError) || error.code !== 'not_found') throw error;
  }
}

/**
 * Returns the change that adds or removes an attachment. Returns `null` if the database or object store does not exist.
 * Also returns `null` if the user may not attach it to an app.
 */
function changeOf(
  build: Build,
  app: WantedApp,
  { kind, key, bucket }: Attachment,
  prefix: string | null,
): AttachmentChange | null {
  const { wanted, values, isBack } = build;
  const { project, environment } = wanted;
  if (kind === 'database') {
    const reference = wanted.databases.find((database) => database.key === key)?.reference ?? '';
    const row = hadDatabase(build, reference);
    return row === undefined ? null : databaseAttachment(row, app.name, prefix);
  }
  const find = isBack || prefix === null ? storeOf : seenStore;
  const row = find({ ...build, answers: values.inputs }, key);
  return row === undefined ? null : ofBucket(row, bucket ?? '', { project, environment, app: app.name }, prefix);
}
