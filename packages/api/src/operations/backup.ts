import { z } from 'zod';
import { operation } from '../operation.ts';
import { BACKUP_STATUSES, Backup, BackupCoverage, BackupRestore, BackupTake } from '../schemas/backup.ts';
import { DatabasePath, paging, recordPaging } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';

const tag = 'Backups';
const ofDatabase = '/databases/{project}/{environment}/{database}/backups';
const BackupPath = z.object({ backup: z.string().describe('The backup’s number.') });

export const listBackups = operation({
  id: 'listBackups',
  method: 'GET',
  path: '/backups',
  tag,
  summary: 'List the backups of the databases you see, newest first',
  description: 'Also those whose database is gone.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    ...recordPaging,
    status: z.enum(BACKUP_STATUSES).optional().describe('Only those in this state.'),
  }),
  responses: { 200: { description: 'The backups.', schema: z.array(Backup) } },
  tool: {},
});

export const listBackupCoverage = operation({
  id: 'listBackupCoverage',
  method: 'GET',
  path: '/backups/coverage',
  tag,
  summary: 'Say which databases could be restored, and which not',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Each database that you see, by reference.', schema: z.array(BackupCoverage) } },
  tool: {},
});

export const getBackup = operation({
  id: 'getBackup',
  method: 'GET',
  path: '/backups/{backup}',
  tag,
  summary: 'Read a backup',
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
    'With `into`, as a new database with a password of its own; what there is stays as it is.',
    'With `in_place` the database that it was taken of gets what the backup has: what is there now is backed up first, the backup is restored beside it, and only when that has succeeded the database is switched over, under the same name, address and password. A restore that fails leaves what was there, and after one that succeeds the former data stays in the trash for its term.',
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
    description: `Restores a backup as a new database; what there is stays as it is. ${waitsForTask}`,
    without: ['in_place', 'confirm'],
    required: ['into'],
  },
});

export const verifyBackup = operation({
  id: 'verifyBackup',
  method: 'POST',
  path: '/backups/{backup}/verify',
  tag,
  summary: 'Try whether a backup can be restored',
  description:
    'It is restored into a database that is made for it and removed afterwards, and what is in there is counted against what was counted when it was taken.',
  permission: 'operate',
  scope: 'backup',
  effect: 'write',
  params: BackupPath,
  query: TaskQuery,
  errors: ['quota_exceeded'],
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: { description: `Try whether a backup can be restored. ${waitsForTask}` },
});

export const downloadBackup = operation({
  id: 'downloadBackup',
  method: 'GET',
  path: '/backups/{backup}/download',
  tag,
  summary: 'Download a backup, decrypted',
  description:
    'The dump as the engine’s own tool wrote it, which restores it anywhere. What is not whole breaks off instead of ending.',
  permission: 'administer',
  scope: 'backup',
  effect: 'read',
  params: BackupPath,
  responses: {
    200: {
      description: 'The dump.',
      schema: z.string().meta({ format: 'binary' }),
      contentType: 'application/octet-stream',
      headers: { 'Content-Disposition': 'Its name as a file.' },
    },
  },
  errors: ['conflict'],
});

export const deleteBackup = operation({
  id: 'deleteBackup',
  method: 'DELETE',
  path: '/backups/{backup}',
  tag,
  summary: 'Delete a backup for good',
  permission: 'administer',
  scope: 'backup',
  effect: 'destroy',
  params: BackupPath,
  query: z.strictObject({
    confirm: z
      .string()
      .max(100)
      .describe('The name of the database it is of, so that nobody deletes another one by a slip.'),
  }),
  responses: { 204: { description: 'It is gone.' } },
  errors: ['conflict'],
});

export const listDatabaseBackups = operation({
  id: 'listDatabaseBackups',
  method: 'GET',
  path: ofDatabase,
  tag,
  summary: 'List a database’s backups, newest first',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  query: z.strictObject(recordPaging),
  responses: { 200: { description: 'The backups.', schema: z.array(Backup) } },
  tool: {},
});

export const backUpDatabase = operation({
  id: 'backUpDatabase',
  method: 'POST',
  path: ofDatabase,
  tag,
  summary: 'Back up a database now',
  description:
    'The engine’s own tool writes what the database has at one moment, while it goes on serving; it is encrypted under a key made from the instance’s master key on its way to the destination.',
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: BackupTake,
  bodyOptional: true,
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: { description: `Back up a database now. ${waitsForTask}` },
});
