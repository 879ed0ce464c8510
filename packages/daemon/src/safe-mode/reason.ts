import { join } from 'node:path';
import type { SafeModeProblem } from '@davit/api';
import { DatabaseUnusable, databaseUnusable, sqliteCode } from '@davit/service';
import { readLastStart } from '../config/last-start.ts';
import { MasterKeyUnusable } from '../config/master-key.ts';
import { isStoreDamage, REPAIR } from '../db/damage.ts';
import { SealBroken } from '../db/seal.ts';

/** Why the daemon cannot open its state. */
export interface SafeModeReason {
  problem: SafeModeProblem;
  /** Message for the operator of the server. It contains paths, so it must not be sent over the network. */
  message: string;
  /** Version of Davit that last opened the database, or `null` if it is unknown. */
  version: string | null;
}

/** Problems of the database that safe mode cannot solve. The daemon prints them and exits. */
const NOT_FOR_SAFE_MODE = ['in use', 'not durable'] as const;
type Unsolved = (typeof NOT_FOR_SAFE_MODE)[number];

/** Returns why an error of the start requires safe mode. Returns `null` if the daemon must exit instead. */
export function reasonOf(error: unknown, dataDir: string): SafeModeReason | null {
  const { version } = readLastStart(dataDir);
  const reason = (problem: SafeModeProblem, { message }: Error) => ({ problem, message, version });
  if (error instanceof MasterKeyUnusable) return reason('key', error);
  if (error instanceof DatabaseUnusable) {
    const { problem } = error;
    return isUnsolved(problem) ? null : reason(problem, error);
  }
  if (error instanceof SealBroken) return reason('damaged', new Error(`${error.message} ${REPAIR}`));
  if (isStoreDamage(error)) return reason('damaged', databaseDamage(dataDir));
  if (sqliteCode(error) !== null) return reasonOf(databaseUnusable(join(dataDir, 'davit.db'), REPAIR, error), dataDir);
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return reason('full', new Error(`The disk with the data directory ${dataDir} is full. Free some space.`));
  return null;
}

function isUnsolved(problem: string): problem is Unsolved {
  return NOT_FOR_SAFE_MODE.some((one) => one === problem);
}

function databaseDamage(dataDir: string): Error {
  return new Error(`The database ${join(dataDir, 'davit.db')} is damaged. ${REPAIR}`);
}
