import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FileReport } from '@davit/api';
import { isWalDamaged } from '@davit/service/wal';
import type { Config } from '../config/config.ts';
import { fileBytes, ID, MARK, markedId } from '../config/instance-id.ts';
import { KEY_CHECK, MasterKeyUnusable, sealerFor } from '../config/master-key.ts';
import { checkDatabase } from '../db/check.ts';
import { describeChange } from '../db/macs/find-changed.ts';
import { changedRowsOf, readFacts, type StateFacts } from '../db/recovery/facts.ts';
import type { Sealer } from '../db/seal.ts';

/** Configuration that safe mode needs for the files of the state. */
export type StateFiles = Pick<Config, 'dataDir' | 'masterKeyFile'>;

/** Checks each file of the state. The check of the database reads the whole file. */
export async function verifyFiles(files: StateFiles, signal: AbortSignal): Promise<FileReport[]> {
  const database = join(files.dataDir, 'davit.db');
  const facts = fileBytes(database) === 0 ? null : readFacts(database);
  const key = verifyKey(files.masterKeyFile, facts);
  const ofDatabase = await verifyDatabase(database, facts, signal);
  if (key.sealer !== null && ofDatabase.state === 'good') {
    const changed = await changedRowsOf(database, key.sealer.rowMacKey, signal);
    ofDatabase.findings.push(...changed.map((row) => `A row is not valid: ${describeChange(row)}.`));
    if (changed.length > 0) ofDatabase.state = 'damaged';
  }
  return [ofDatabase, verifyLog(`${database}-wal`), key.report, verifyId(files.dataDir, facts)];
}

async function verifyDatabase(path: string, facts: StateFacts | null, signal: AbortSignal): Promise<FileReport> {
  const file = 'davit.db';
  if (fileBytes(path) === 0) return { file, state: 'missing', findings: ['The file is missing or empty.'] };
  const findings = await checkDatabase(path, signal);
  if (facts === null && findings.length === 0) findings.push('The settings of the instance cannot be read.');
  if (facts?.hasKnownSchema === false) findings.push('A newer version of Davit wrote the file.');
  return { file, state: findings.length === 0 ? 'good' : 'damaged', findings };
}

function verifyLog(path: string): FileReport {
  const isDamaged = isWalDamaged(path);
  const findings = isDamaged ? ['The file contains committed changes that cannot be read.'] : [];
  return { file: 'davit.db-wal', state: isDamaged ? 'damaged' : 'good', findings };
}

interface VerifiedKey {
  report: FileReport;
  /** `null` if the key does not fit the database. */
  sealer: Sealer | null;
}

function verifyKey(file: string, facts: StateFacts | null): VerifiedKey {
  const bad = (state: FileReport['state'], finding: string) => ({
    report: { file, state, findings: [finding] },
    sealer: null,
  });
  if (!existsSync(file)) return bad('missing', 'The file is missing.');
  const check = facts?.settings.get(KEY_CHECK);
  if (check === undefined)
    return bad('unknown', 'The key cannot be checked, because its check value in the database cannot be read.');
  try {
    const sealer = sealerFor(file, check);
    if (sealer === null) return bad('damaged', 'The secrets of this instance are encrypted with another key.');
    return { report: { file, state: 'good', findings: [] }, sealer };
  } catch (error) {
    if (!(error instanceof MasterKeyUnusable)) throw error;
    return bad('damaged', 'The file does not contain 32 bytes in base64.');
  }
}

function verifyId(dataDir: string, facts: StateFacts | null): FileReport {
  const marked = markedId(dataDir);
  if (marked === null) return { file: MARK, state: 'missing', findings: ['The file is missing or empty.'] };
  const stored = facts?.settings.get(ID);
  if (stored === undefined) return { file: MARK, state: 'unknown', findings: ['The database has no instance ID.'] };
  const findings = stored === marked ? [] : [`The database belongs to the instance ${stored}, not ${marked}.`];
  return { file: MARK, state: findings.length === 0 ? 'good' : 'damaged', findings };
}
