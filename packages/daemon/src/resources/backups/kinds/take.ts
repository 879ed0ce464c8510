import type { BackupOrigin } from '@davit/api';
import { backupById, failBackup, setBackupTask, succeedBackup } from '../../../db/tables/backup.ts';
import { taskById } from '../../../db/tables/task.ts';
import type { TaskKind, TaskStep, TaskWork } from '../../tasks/kind.ts';
import { answering } from '../databases.ts';
import type { BackupsDeps } from '../deps.ts';
import { removeKept } from '../open.ts';
import { keepNewest } from '../retention.ts';
import { takeDump } from '../take.ts';
import type { DumpFacts } from '../tools/tool.ts';
import { withTaskFailures } from './reasons.ts';

/**
 * Input of the task that creates a backup. The API request inserts the row of the backup. The task saves its result in
 * this row.
 */
export interface TakeInput {
  backup: number;
  origin: BackupOrigin;
}

type Work = TaskWork<TakeInput, BackupsDeps>;

export const takeKind: TaskKind<TakeInput, BackupsDeps> = {
  kind: 'backup.take',
  steps: () => withTaskFailures([write, keep]),
  ended(tx, { core, input, taskId }, { status }) {
    const row = backupById(tx, input.backup);
    if (status === 'succeeded' || row?.status !== 'taking') return;
    failBackup(tx, input.backup, taskById(tx, taskId)?.error ?? 'The backup was not taken.', core.now());
  },
};

const write: TaskStep<TakeInput, BackupsDeps> = {
  name: 'write',
  async run(work, signal) {
    const { core, input, taskId } = work;
    core.store.tx((tx) => setBackupTask(tx, input.backup, taskId));
    await writeBackup(work, input.backup, signal);
  },
  undo: ({ core, input }) => undoBackup(core, input.backup),
};

/** Removes the stored object of a backup and sets the status of the backup to canceled. */
export async function undoBackup(core: BackupsDeps, id: number): Promise<void> {
  const row = backupById(core.store, id);
  if (row === undefined) return;
  await removeKept(core, row);
  if (row.status === 'succeeded') core.store.tx((tx) => failBackup(tx, id, 'The backup was canceled.', core.now()));
}

/**
 * Creates a backup whose row is already in the database. If the backup is already finished, the function does nothing.
 * Several kinds of tasks use this function.
 */
export async function writeBackup(
  work: Pick<Work, 'core' | 'progress' | 'log'>,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  const { core, progress, log } = work;
  const row = backupById(core.store, id);
  if (row === undefined || row.status !== 'taking') return;
  const { place } = await answering(core, row.database_id, signal);
  const taken = await takeDump(core, row, place, (done) => progress(done, null, 'bytes'));
  core.store.tx((tx) => succeedBackup(tx, id, { ...taken, at: core.now() }));
  const { besides = [], views = [] } = JSON.parse(taken.facts) as DumpFacts;
  if (besides.length > 0)
    log(`This backup does not contain other databases on the same server: ${besides.join(', ')}.`);
  if (views.length > 0) {
    const names = views.map(({ name }) => name).join(', ');
    log(
      `The dump cannot read these views, so the backup contains only their definitions: ${names}. A restore creates the views again if possible.`,
    );
  }
}

const keep: TaskStep<TakeInput, BackupsDeps> = {
  name: 'keep',
  // If the removal of older backups fails, the new backup is still successful.
  final: true,
  async run({ core, input, log }) {
    const row = backupById(core.store, input.backup);
    if (row !== undefined && input.origin === 'schedule') await keepNewest(core, row.database_id, log);
  },
};
