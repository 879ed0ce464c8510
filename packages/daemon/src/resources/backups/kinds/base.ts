import { backupById, failBackup, setBackupTask, succeedBackup } from '../../../db/tables/backup.ts';
import { taskById } from '../../../db/tables/task.ts';
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { CLIENT } from '../../databases/dialects/postgres-session.ts';
import type { TaskKind, TaskStep } from '../../tasks/kind.ts';
import { answering } from '../databases.ts';
import type { BackupsDeps } from '../deps.ts';
import { packed } from '../packing.ts';
import { keepSealed } from '../take.ts';
import { psql } from '../tools/postgres-client.ts';
import { programOutput } from '../tools/program.ts';
import type { DumpedDatabase } from '../tools/tool.ts';
import type { BaseFacts } from '../wal/bases.ts';
import { withTaskFailures } from './reasons.ts';
import { undoBackup } from './take.ts';

/**
 * Input of the task that creates a base backup. A base backup is a copy of the files of a PostgreSQL server.
 * Point-in-time recovery starts with a base backup.
 */
export interface BaseInput {
  backup: number;
}

export const baseKind: TaskKind<BaseInput, BackupsDeps> = {
  kind: 'backup.base',
  steps: () => withTaskFailures([write]),
  ended(tx, { core, input, taskId }, { status }) {
    if (status === 'succeeded' || backupById(tx, input.backup)?.status !== 'taking') return;
    failBackup(tx, input.backup, taskById(tx, taskId)?.error ?? 'The backup was not taken.', core.now());
  },
};

/**
 * Options of `pg_basebackup`. The base backup contains no WAL (write-ahead log), because PostgreSQL may delete WAL
 * during a long backup. Davit archives the WAL separately.
 */
const COPY = ['--no-password', '--pgdata=-', '--format=tar', '--wal-method=none', '--checkpoint=fast', '--no-manifest'];

const write: TaskStep<BaseInput, BackupsDeps> = {
  name: 'write',
  async run({ core, input, taskId, progress }, signal) {
    const backup = backupById(core.store, input.backup);
    if (backup?.status !== 'taking') return;
    core.store.tx((tx) => setBackupTask(tx, backup.id, taskId));
    const { place: target, row } = await answering(core, backup.database_id, signal);
    const from = await currentSegment(target);
    const program = { command: ['pg_basebackup', `--username=${ADMIN}`, ...COPY], user: CLIENT.name };
    const on = (done: number) => progress(done, null, 'bytes');
    /*
     * `pg_basebackup` waits until PostgreSQL has archived the WAL segments (parts of the write-ahead log) that the base
     * backup needs.
     */
    const taken = await keepSealed(core, backup, packed(programOutput(target, program)), signal, on);
    const until = await currentSegment(target);
    const facts = JSON.stringify({ volume: row.volume, from, until } satisfies BaseFacts);
    core.store.tx((tx) => succeedBackup(tx, backup.id, { ...taken, facts, at: core.now() }));
  },
  undo: ({ core, input }) => undoBackup(core, input.backup),
};

/** Returns the name of the current WAL segment (part of PostgreSQL's write-ahead log). */
async function currentSegment(target: DumpedDatabase): Promise<string> {
  const query = 'SELECT pg_walfile_name(pg_current_wal_insert_lsn());\n';
  return (await psql({ ...target, database: null }, ADMIN, query)).trim();
}
