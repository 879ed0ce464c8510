/** Checks that need no daemon: files of the data directory, Docker, the disk and the ports. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckName, type CheckState, count, type InstanceCheck } from '@davit/api';
import { sqliteCode } from '@davit/service';
import { diskUse } from '../adapters/engine/disk-use.ts';
import { EngineRefused, EngineUnavailable } from '../adapters/engine/errors.ts';
import { chooseRemoval } from '../composition/adapters.ts';
import type { Config } from '../config/config.ts';
import { markedId } from '../config/instance-id.ts';
import { SETTINGS_KEY } from '../config/instance-settings.ts';
import { listeningProcess } from '../config/ports.ts';
import { readStoredSettings } from '../config/stored-settings.ts';
import { checkDatabase } from '../db/check.ts';
import { REPAIR } from '../db/damage.ts';
import { readFacts } from '../db/recovery/facts.ts';
import { diskWarnings } from '../reconcilers/disk.ts';
import { daemonOf } from './daemon-process.ts';

/** Time limit in milliseconds for the check of the database, which takes about 15 s per GiB. */
const DATABASE_MS = 10 * 60_000;

type Stored = ReadonlyMap<string, string>;

/** Runs all checks that need no API. Never throws an error: each failure is the result of a check. */
export async function checkFromOutside(config: Config): Promise<InstanceCheck[]> {
  const id = existsSync(config.dataDir) ? markedId(config.dataDir) : null;
  if (id === null) return [result('daemon', 'problem', missingInstance(config.dataDir))];
  const stored = readFacts(join(config.dataDir, 'davit.db'))?.settings ?? new Map<string, string>();
  const found = await Promise.all([
    [daemonCheck(config.dataDir)],
    databaseChecks(config),
    engineChecks(config, id, stored),
    portChecks(config, stored),
    diskChecks(config.dataDir, stored),
  ]);
  return found.flat();
}

function result(name: CheckName, state: CheckState, message: string): InstanceCheck {
  return { name, state, message, repairable: false };
}

function missingInstance(dataDir: string): string {
  return `The folder ${dataDir} contains no instance. Set DAVIT_DATA_DIR to the data directory of the instance.`;
}

function daemonCheck(dataDir: string): InstanceCheck {
  const pid = daemonOf(dataDir);
  const log = join(dataDir, 'davit.log');
  return pid === null
    ? result('daemon', 'problem', `The daemon of ${dataDir} is stopped. Start it. Its log is ${log}.`)
    : result(
        'daemon',
        'problem',
        `The daemon (process ${pid}) runs, but does not respond. Restart it. Its log is ${log}.`,
      );
}

async function databaseChecks({ dataDir, masterKeyFile }: Config): Promise<InstanceCheck[]> {
  const key = existsSync(masterKeyFile)
    ? []
    : [
        result(
          'state_database',
          'problem',
          `The master key ${masterKeyFile} is missing. Restore your copy, or use the recovery key: davit instance recover-key`,
        ),
      ];
  const file = join(dataDir, 'davit.db');
  const state = (await isWhole(file))
    ? result('state_database', 'ok', 'The database of Davit has no damage.')
    : result('state_database', 'problem', `The database ${file} is missing or damaged. ${REPAIR}`);
  return [state, ...key];
}

async function isWhole(file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  try {
    return (await checkDatabase(file, AbortSignal.timeout(DATABASE_MS))).length === 0;
  } catch (error) {
    if (sqliteCode(error) === null) throw error;
    return false;
  }
}

async function engineChecks(config: Config, id: string, stored: Stored): Promise<InstanceCheck[]> {
  if (stored.get('engine') === 'memory')
    return [result('engine', 'ok', 'Docker is simulated on this instance, so no real containers run.')];
  try {
    await using objects = chooseRemoval(config, id);
    const containers = (await objects?.list())?.filter(({ kind }) => kind === 'container') ?? [];
    return [
      result('engine', 'ok', `Docker responds, and has ${count(containers.length, 'container')} of the instance.`),
    ];
  } catch (error) {
    if (!(error instanceof EngineUnavailable) && !(error instanceof EngineRefused)) throw error;
    return [result('engine', 'problem', error.message)];
  }
}

function portChecks(config: Config, stored: Stored): InstanceCheck[] {
  const portOf = (key: string, setting: { port: number }) => Number(stored.get(key) ?? setting.port);
  const api = portOf('port.listen', config.listen);
  const user = daemonOf(config.dataDir) === null ? listeningProcess(api) : null;
  const ofApi =
    user === null ? [] : [result('ports', 'problem', `Port ${api} (the API) is in use by ${user}. Stop this program.`)];
  if (stored.get('engine') === 'memory') return ofApi;
  const http = portOf('port.http', config.httpPort);
  const server = listeningProcess(http);
  const ofProxy =
    server === null
      ? result(
          'ports',
          'problem',
          `No program listens on port ${http} (the proxy). Start the daemon, which starts the proxy.`,
        )
      : result('ports', 'ok', `The program ${server} listens on port ${http} (the proxy).`);
  return [...ofApi, ofProxy];
}

async function diskChecks(dataDir: string, stored: Stored): Promise<InstanceCheck[]> {
  const { settings } = readStoredSettings(stored.get(SETTINGS_KEY) ?? '{}');
  const { state, texts } = diskWarnings(await diskUse(dataDir), settings.disk);
  if (state === 'ok') return [result('disk', 'ok', 'The disk has enough free space.')];
  return texts.map((text) => result('disk', state === 'refusing' ? 'problem' : 'warning', text));
}
