import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRecoveryKey, RecoveryKeyInvalid } from '@davit/api/recovery-key.ts';
import { renameDurably, writeDurably } from '@davit/service/durable-files';
import type { Config } from '../config/config.ts';
import { configFromProcess } from '../config/env.ts';
import { isMasterKey, KEY_CHECK } from '../config/master-key.ts';
import { openRecoveryCopy, RECOVERY_FILE, readRecoveryCopy } from '../config/recovery-file.ts';
import { readFacts } from '../db/recovery/facts.ts';
import { ActionFailed, type ActionStreams, splitFlags } from './action.ts';

/** Restores the master key from its encrypted copy. Reads the recovery key from stdin. */
export async function recoverKeyAction(args: string[], { emit, input }: ActionStreams): Promise<number> {
  const { settings } = splitFlags(args, {});
  const config = configFromProcess(settings);
  const key = keyFromCopy(config.dataDir, await input());
  const check = readFacts(join(config.dataDir, 'davit.db'))?.settings.get(KEY_CHECK) ?? null;
  if (check !== null && !isMasterKey(key, check))
    throw new ActionFailed(
      'conflict',
      `The recovered key does not match the database in ${config.dataDir}. The file ${RECOVERY_FILE} may come from another copy of the data directory.`,
    );
  const message = await store(config, key);
  const unchecked =
    check === null ? ' The key could not be compared with the database, because the database cannot be read.' : '';
  emit({ kind: 'result', lines: [`${message}${unchecked}`], data: { file: config.masterKeyFile } });
  return 0;
}

function keyFromCopy(dataDir: string, typed: string): Buffer {
  const copy = readRecoveryCopy(dataDir);
  if (copy === null)
    throw new ActionFailed(
      'not_found',
      `${join(dataDir, RECOVERY_FILE)} is missing or damaged. Specify another data directory with --data-dir, or restore the file from a backup.`,
    );
  try {
    return openRecoveryCopy(copy, parseRecoveryKey(typed));
  } catch (cause) {
    if (cause instanceof RecoveryKeyInvalid) throw new ActionFailed('usage', cause.message, { cause });
    throw new ActionFailed('usage', 'This is not the current recovery key of the instance.', { cause });
  }
}

/** Writes the master key. A different file with the same name is kept under another name. */
async function store({ masterKeyFile }: Config, key: Buffer): Promise<string> {
  const content = `${key.toString('base64')}\n`;
  if (existsSync(masterKeyFile)) {
    if (readFileSync(masterKeyFile, 'utf8') === content) return `The master key ${masterKeyFile} is already correct.`;
    await renameDurably(masterKeyFile, `${masterKeyFile}.replaced`);
  }
  await writeDurably(masterKeyFile, content);
  return `The master key ${masterKeyFile} is restored. Start Davit.`;
}
