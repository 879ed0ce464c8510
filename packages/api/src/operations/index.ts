import type { Operation } from '../operation.ts';
import * as app from './app.ts';
import * as attachment from './attachment.ts';
import * as audit from './audit.ts';
import * as backup from './backup.ts';
import * as backupSchedule from './backup-schedule.ts';
import * as bucket from './bucket.ts';
import * as certificate from './certificate.ts';
import * as database from './database.ts';
import * as databaseCopy from './database-copy.ts';
import * as databaseReadings from './database-readings.ts';
import * as databaseRunning from './database-running.ts';
import * as databaseTrash from './database-trash.ts';
import * as deployment from './deployment.ts';
import * as dnsProvider from './dns-provider.ts';
import * as domain from './domain.ts';
import * as event from './event.ts';
import * as image from './image.ts';
import * as instance from './instance.ts';
import * as lifecycle from './lifecycle.ts';
import * as log from './log.ts';
import * as managedObjectStore from './managed-object-store.ts';
import * as metric from './metric.ts';
import * as objectStore from './object-store.ts';
import * as project from './project.ts';
import * as quota from './quota.ts';
import * as registry from './registry.ts';
import * as release from './release.ts';
import * as repository from './repository.ts';
import * as revision from './revision.ts';
import * as run from './run.ts';
import * as schedule from './schedule.ts';
import * as settings from './settings.ts';
import * as task from './task.ts';
import * as tcpPort from './tcp-port.ts';
import * as template from './template.ts';
import * as templateImport from './template-import.ts';
import * as templateInstall from './template-install.ts';
import * as templateUpdate from './template-update.ts';
import * as unrecorded from './unrecorded.ts';
import * as user from './user.ts';
import * as variables from './variables.ts';
import * as volume from './volume.ts';
/** Map from ID to API operation, for all operations in the OpenAPI document. */
export const operations = {
  ...project,
  ...quota,
  ...app,
  ...lifecycle,
  ...deployment,
  ...revision,
  ...variables,
  ...domain,
  ...volume,
  ...tcpPort,
  ...database,
  ...databaseRunning,
  ...databaseReadings,
  ...databaseTrash,
  ...attachment,
  ...databaseCopy,
  // `backupSchedule` must precede `backup`. Otherwise, the OpenAPI document marks their shared schema as nullable.
  ...backupSchedule,
  ...backup,
  ...task,
  ...objectStore,
  ...managedObjectStore,
  ...bucket,
  ...run,
  ...schedule,
  ...log,
  ...metric,
  ...event,
  ...instance,
  ...settings,
  ...registry,
  ...image,
  ...unrecorded,
  ...dnsProvider,
  ...certificate,
  ...repository,
  ...release,
  ...template,
  ...templateImport,
  ...templateInstall,
  ...templateUpdate,
  ...user,
  ...audit,
} as const;
export type Operations = typeof operations;
export type OperationId = keyof Operations;

export const allOperations: readonly Operation[] = Object.values(operations);
