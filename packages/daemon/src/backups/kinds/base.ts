import type { DatabaseBase } from '../../databases/base.ts';
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { backupById, failBackup, forgetBackup, setBackupTask, succeedBackup } from '../../store/backup.ts';
import { databaseById } from '../../store/managed-database.ts';
import { taskById } from '../../store/task.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
import { answering } from '../databases.ts';
import { taskReading } from '../in-use.ts';
import { removeKept } from '../open.ts';
import { packed } from '../packing.ts';
import { keepSealed } from '../take.ts';
import { psql } from '../tools/postgres-client.ts';
import { written } from '../tools/program.ts';
import { type BaseFacts, basesOf, usableBases } from '../wal/bases.ts';
import { tellingWhy } from './reasons.ts';
import { undoBackup } from './take.ts';

/** Points in time reach back over so many of them. */
const BASES_KEPT = 2;

/** A copy of a PostgreSQL's files, from which its log leads to any moment after. */
export interface BaseInput {
  backup: number;
}

export const baseKind: TaskKind<BaseInput, DatabaseBase> = {
  kind: 'backup.base',
  steps: () => tellingWhy([write, keep]),
  ended(tx, { core, input, taskId }, { status }) {
    if (status === 'succeeded' || backupById(tx, input.backup)?.status !== 'taking') return;
    failBackup(tx, input.backup, taskById(tx, taskId)?.error ?? 'It was not taken.', core.now());
  },
};

const COPY = ['--pgdata=-', '--format=tar', '--wal-method=fetch', '--checkpoint=fast', '--no-manifest'];

const write: TaskStep<BaseInput, DatabaseBase> = {
  name: 'write',
  async run({ core, input, taskId, progress }, signal) {
    const backup = backupById(core.store, input.backup);
    if (backup?.status !== 'taking') return;
    core.store.tx((tx) => setBackupTask(tx, backup.id, taskId));
    const { place, row } = await answering(core, backup.database_id, signal);
    const from = await psql({ ...place, database: null }, 'SELECT pg_walfile_name(pg_current_wal_insert_lsn());\n');
    const program = { command: ['pg_basebackup', `--username=${ADMIN}`, ...COPY], user: 'postgres' };
    const on = (done: number) => progress(done, null, 'bytes');
    const taken = await keepSealed(core, backup, packed(written(place, program)), signal, on);
    const facts = JSON.stringify({ volume: row.volume, from: from.trim() } satisfies BaseFacts);
    core.store.tx((tx) => succeedBackup(tx, backup.id, { ...taken, facts, at: core.now() }));
  },
  undo: ({ core, input }) => undoBackup(core, input.backup),
};

const keep: TaskStep<BaseInput, DatabaseBase> = {
  name: 'keep',
  final: true,
  async run({ core, input }) {
    const { database_id = 0 } = backupById(core.store, input.backup) ?? {};
    const row = databaseById(core.store, database_id);
    if (row === undefined) return;
    const kept = usableBases(core.store, row).slice(0, BASES_KEPT);
    for (const base of basesOf(core.store, row.id)) {
      if (kept.some(({ id }) => id === base.id) || taskReading(core, core.store, base.id) !== undefined) continue;
      await removeKept(core, base);
      core.store.tx((tx) => forgetBackup(tx, base));
    }
  },
};
