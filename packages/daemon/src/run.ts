import { request } from 'node:http';
import { join } from 'node:path';
import { createLogger, DataDirTaken, responseTo } from '@davit/service';
import { REGISTRY_ADDRESS } from './adapters/registry/registry.ts';
import { chooseAdapters } from './composition/adapters.ts';
import { createDaemon } from './composition/daemon.ts';
import { bindHome, bindHomeLater } from './composition/home.ts';
import { HomeGate } from './composition/home-gate.ts';
import type { Report } from './composition/report.ts';
import { untilRepaired } from './composition/safe-mode.ts';
import { openState, type State } from './composition/state.ts';
import type { Config } from './config/config.ts';
import { noteStart } from './config/last-start.ts';
import { choosePort } from './config/ports.ts';
import { readSetting, writeSetting } from './db/tables/settings.ts';
import { standInNote } from './resources/certificates/public-address.ts';
import { reasonOf } from './safe-mode/reason.ts';
import { VERSION } from './version.ts';

/**
 * Starts the daemon with a data directory and reports the progress. If another process already uses the directory,
 * reports the API address of that process. If the state is damaged, runs safe mode until the state is repaired.
 */
export async function startInstance(config: Config, report: Report): Promise<void> {
  const opened = await report
    .step('open the data directory', () => openOrFind(config))
    .catch((error) => repaired(config, error, report));
  if (typeof opened === 'string') {
    report.running(opened);
    return;
  }
  for (let state = opened; state !== null; ) {
    const failure = await start(config, state, report);
    if (failure === null) return;
    state = await repaired(config, failure, report);
  }
}

/**
 * Runs safe mode after an error of the start, until the state is repaired. Throws the error if safe mode cannot help.
 * @returns the opened state, or `null` if the process must stop
 */
async function repaired(config: Config, error: unknown, report: Report): Promise<State | null> {
  const reason = reasonOf(error, config.dataDir);
  if (reason === null) throw error;
  return untilRepaired(config, reason, report);
}

/**
 * Starts the instance with its opened state.
 * @returns the error of the start, or `null` if the instance has started. Some damage of the database, such as a
 * missing table, causes an error only when Davit first reads the damaged data.
 */
async function start(config: Config, state: State, report: Report): Promise<unknown> {
  try {
    await startParts(config, state, report);
    return null;
  } catch (error) {
    // Safe mode locks the data directory again.
    state[Symbol.dispose]();
    return error;
  }
}

async function startParts(config: Config, state: State, report: Report): Promise<void> {
  const settled = await settlePorts(config, state, report);
  noteStart(config.dataDir, { port: settled.listen.port || null, version: VERSION });
  const log = createLogger({ level: settled.logLevel });
  const gate = new HomeGate();
  const { note, ...adapters } = await report.step('find Docker', () => chooseAdapters(settled, state, log, gate));
  if (note) report.note(note);
  const home = { config: settled, state, engine: adapters.engine };
  const isBound = await report
    .step('check whether the instance was moved or copied', () => bindHome(home))
    .catch(async (error) => {
      /*
       * The adapters are closed, because open connections to Docker, HAProxy or the registry would prevent the process
       * from exiting.
       */
      for (const adapter of [adapters.registry, adapters.proxy, adapters.engine]) await adapter[Symbol.asyncDispose]();
      throw error;
    });
  if (isBound) gate.open();
  const engine = gate.engine(adapters.engine);
  const daemon = await report.step('open the API', () =>
    createDaemon(settled, state, { ...adapters, engine }, { log }),
  );
  try {
    await report.step('start the proxy', () => daemon.ready);
  } catch (error) {
    /*
     * The daemon is stopped, because its start failed. If the API server continued to run, a supervisor would not
     * restart the daemon.
     */
    await daemon[Symbol.asyncDispose]();
    throw error;
  }
  const { problem } = await daemon.core.proxy.status();
  if (problem) report.note(problem);
  for (const text of standInNote(daemon.core.facts)) report.note(text);
  const stopping = new AbortController();
  const end = () => {
    stopping.abort(new Error('the daemon is stopping'));
    return daemon[Symbol.asyncDispose]();
  };
  report.ready({ ...daemon, [Symbol.asyncDispose]: end }, settled);
  if (isBound) return;
  void bindHomeLater(home, stopping.signal).then(
    (isBoundNow) => {
      if (isBoundNow) gate.open();
    },
    async (error: Error) => {
      if (stopping.signal.aborted) return;
      log.error(
        { error },
        'the daemon stops, because it could not confirm that this instance belongs to this Docker Engine',
      );
      await end();
      report.failed(error.message);
    },
  );
}

/** Returns the opened state, or the API address of the process that already uses it. */
async function openOrFind(config: Config): Promise<State | string> {
  try {
    return openState(config);
  } catch (error) {
    if (!(error instanceof DataDirTaken)) throw error;
    const address = await addressOf(join(config.dataDir, 'davit.sock'));
    if (address === null) throw error;
    return address;
  }
}

/** Returns the API address of the daemon that uses a data directory. Returns `null` if this daemon does not respond. */
async function addressOf(socketPath: string): Promise<string | null> {
  const outgoing = request({ socketPath, path: '/healthz', timeout: 2_000 });
  outgoing.on('timeout', () => outgoing.destroy());
  try {
    const answered = responseTo(outgoing);
    outgoing.end();
    const response = await answered;
    response.resume();
    return String(response.headers['davit-address'] ?? '') || null;
  } catch {
    return null;
  }
}

/**
 * Chooses all ports of the daemon and stores them in the database. After a restart, the addresses then stay the same.
 */
async function settlePorts(config: Config, { store }: State, report: Report): Promise<Config> {
  const chosen: number[] = [];
  const settle = async (
    key: string,
    setting: { port: number; explicit: boolean },
    hosts: readonly string[],
    purpose: string,
    ours: boolean,
  ) => {
    const remembered = readSetting(store, key);
    const { port, note } = await choosePort(setting, {
      hosts,
      purpose,
      remembered: remembered === undefined ? null : Number(remembered),
      ours,
      chosen,
    });
    // Port 0 means that the operating system selects a free port when the server listens.
    if (port !== 0) chosen.push(port);
    if (note) report.note(note);
    if (String(port) !== remembered) store.tx((tx) => writeSetting(tx, key, String(port)));
    return { ...setting, port };
  };
  const { host } = config.listen;
  return {
    ...config,
    listen: { ...(await settle('port.listen', config.listen, [host], 'the API', false)), host },
    // HAProxy may already use the HTTP and HTTPS ports, because its container runs even without the daemon.
    httpPort: await settle('port.http', config.httpPort, ['0.0.0.0'], 'the proxy’s HTTP port', true),
    httpsPort: await settle('port.https', config.httpsPort, ['0.0.0.0'], 'the proxy’s HTTPS port', true),
    /*
     * The port of the registry must not change, because the name of every pushed image contains this port. The proxy
     * listens on 127.0.0.1, and the registry on another address.
     */
    registryPort: await settle(
      'port.registry',
      config.registryPort,
      ['127.0.0.1', REGISTRY_ADDRESS],
      'the registry’s port',
      true,
    ),
    accessPort: await settle(
      'port.access',
      config.accessPort,
      ['127.0.0.1'],
      'the port to which the proxy sends its access log',
      false,
    ),
  };
}
