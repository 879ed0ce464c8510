import { z } from 'zod';
import { operation } from '../operation.ts';
import { BACKUP_STATUSES, Backup, BackupCoverage, BackupRestore, BackupTake } from '../schemas/backup.ts';
import { DatabasePath, paging, recordPaging } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';

const tag = 'Backups';
const ofDatabase = '/databases/{project}/{environment}/{database}/backups';
const BackupPath = z.object({ backup: z.string().describe('ID of the backup.') });

export const listBackups = operation({
  id: 'listBackups',
  method: 'GET',
  path: '/backups',
  tag,
  summary: 'List backups',
  description:
    'Returns the backups of all projects that the caller can access, including backups of deleted databases.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    ...recordPaging,
    status: z
      .enum(BACKUP_STATUSES)
      .optional()
      .describe('Filter by the status of the backup. Default: backups with any status.'),
  }),
  responses: { 200: { description: 'Backups, newest first.', schema: z.array(Backup) } },
  tool: {},
});

export const listBackupCoverage = operation({
  id: 'listBackupCoverage',
  method: 'GET',
  path: '/backups/coverage',
  tag,
  summary: 'List the backup status of each database',
  description: 'Returns the last successful backup, the backup schedule and the backup problems of each database.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: {
    200: {
      description:
        'Backup status of each database that the caller can access, sorted by the address `project/environment/name`.',
      schema: z.array(BackupCoverage),
    },
  },
  tool: {},
});

export const getBackup = operation({
  id: 'getBackup',
  method: 'GET',
  path: '/backups/{backup}',
  tag,
  summary: 'Get a backup',
  permission: 'read',
  scope: 'backup',
  effect: 'read',
  params: BackupPath,
  responses: { 200: { description: 'The backup.', schema: Backup } },
});

export const restoreBackup = operation({
  id: 'restoreBackup',
  method: 'POST',
  path: '/backups/{backup}/restore',
  tag,
  summary: 'Restore a backup',
  description: [
    'With `into`, Davit restores the backup into a new database with its own password. Existing databases do not change.',
    'With `in_place`, Davit replaces the data of the original database. If the database is running, Davit first backs up the current data. Davit then restores the backup into a second database server. If the restore succeeds, Davit switches the database to the restored data. The name, address and password of the database stay the same. The previous data stays in the trash for some days (by default 7). If the restore fails, the database keeps its current data.',
  ].join('\n\n'),
  permission: 'administer',
  scope: 'backup',
  effect: 'write',
  params: BackupPath,
  query: TaskQuery,
  body: BackupRestore,
  errors: ['quota_exceeded'],
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: {
    description: `Davit restores the backup into a new database. Existing databases do not change. ${waitsForTask}`,
    without: ['in_place', 'confirm'],
    required: ['into'],
  },
});

export const verifyBackup = operation({
  id: 'verifyBackup',
  method: 'POST',
  path: '/backups/{backup}/verify',
  tag,
  summary: 'Verify a backup',
  description:
    'Davit restores the backup into a temporary database. Davit compares the number of restored records with the number of records at the time of the backup. Davit then removes the temporary database.',
  permission: 'operate',
  scope: 'backup',
  effect: 'write',
  params: BackupPath,
  query: TaskQuery,
  errors: ['quota_exceeded'],
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: {
    description: `Davit restores the backup into a temporary database. Davit compares the number of restored records with the number of records at the time of the backup. ${waitsForTask}`,
  },
});

export const downloadBackup = operation({
  id: 'downloadBackup',
  method: 'GET',
  path: '/backups/{backup}/download',
  tag,
  summary: 'Download a backup',
  description:
    'The response is the decrypted dump in the format of the dump tool of the database, for example `pg_dump`. You can restore the dump on any database server of this kind. If the backup is incomplete or damaged, Davit aborts the connection before the end of the response.',
  permission: 'administer',
  scope: 'backup',
  effect: 'read',
  params: BackupPath,
  responses: {
    200: {
      description: 'The decrypted dump.',
      schema: z.string().meta({ format: 'binary' }),
      contentType: 'application/octet-stream',
      headers: { 'Content-Disposition': 'File name of the dump.' },
    },
  },
  errors: ['conflict'],
});

export const deleteBackup = operation({
  id: 'deleteBackup',
  method: 'DELETE',
  path: '/backups/{backup}',
  tag,
  summary: 'Delete a backup',
  description:
    'Davit deletes the backup permanently. Davit refuses the request while a task creates or reads the backup.',
  permission: 'administer',
  scope: 'backup',
  effect: 'destroy',
  params: BackupPath,
  query: z.strictObject({
    confirm: z
      .string()
      .max(100)
      .describe('Name of the backed-up database. You must send it to confirm the deletion of the backup.'),
  }),
  responses: { 204: { description: 'The backup was deleted.' } },
  errors: ['conflict'],
});

export const listDatabaseBackups = operation({
  id: 'listDatabaseBackups',
  method: 'GET',
  path: ofDatabase,
  tag,
  summary: 'List the backups of a database',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'Backups, newest first.', schema: z.array(Backup) } },
  tool: {},
});

export const backUpDatabase = operation({
  id: 'backUpDatabase',
  method: 'POST',
  path: ofDatabase,
  tag,
  summary: 'Back up a database',
  description:
    'The dump tool of the database, for example `pg_dump`, writes a consistent snapshot of the data. The database keeps running. Davit encrypts the snapshot before storing it. The encryption key is derived from the master key of the instance.',
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: BackupTake,
  bodyOptional: true,
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: { description: `The database keeps running during the backup. ${waitsForTask}` },
});
