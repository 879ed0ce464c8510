import { join } from 'node:path';
import { createLogger, type Logger, lockDataDir } from '@davit/service';
import type { Config } from '../config/config.ts';
import { readLastStart } from '../config/last-start.ts';
import { choosePort } from '../config/ports.ts';
import { startSafeModeServer } from '../http/safe-mode/server.ts';
import { reasonOf, type SafeModeReason } from '../safe-mode/reason.ts';
import { StateRecovery } from '../safe-mode/recovery.ts';
import { RETRY_S, safeModeLines } from '../safe-mode/text.ts';
import type { Report } from './report.ts';
import { openState, type State } from './state.ts';

/**
 * Runs safe mode until the state can be opened. Safe mode only listens on the API port and the Unix socket. It does not
 * use Docker, the proxy or the registry, so apps keep running.
 * @returns the opened state, or `null` if the process must stop
 */
export async function untilRepaired(config: Config, first: SafeModeReason, report: Report): Promise<State | null> {
  const ended = Promise.withResolvers<State | null>();
  const ending = new AbortController();
  const log = createLogger({ level: config.logLevel });
  const state = new LockedState(config, first, log, ended);
  const recovery = new StateRecovery({
    files: config,
    reason: () => state.reason,
    resume: (acceptsRows) => state.open(acceptsRows),
    signal: ending.signal,
    now: () => new Date(),
  });
  try {
    await recovery.removeFiles();
    const listen = await settleListen(config, report);
    const socket = join(config.dataDir, 'davit.sock');
    const reason = () => state.reason;
    await using server = await startSafeModeServer({ listen, socket, reason, recovery, log });
    log.error({ problem: first.problem, url: server.url }, `Davit runs in safe mode: ${first.message}`);
    const stop = async () => ended.resolve(null);
    report.safeMode({ url: server.url, lines: safeModeLines(first), [Symbol.asyncDispose]: stop });
    using _ = retryWhileFull(state);
    const opened = await ended.promise;
    ending.abort(new Error('safe mode ends'));
    return opened;
  } finally {
    state.unlock();
    await recovery.removeFiles();
    report.safeModeEnded();
  }
}

/** The state that cannot be opened, with the lock of its data directory. */
class LockedState {
  reason: SafeModeReason;
  readonly #config: Config;
  readonly #log: Logger;
  readonly #ended: PromiseWithResolvers<State | null>;
  #lock: Disposable | null;

  constructor(config: Config, reason: SafeModeReason, log: Logger, ended: PromiseWithResolvers<State | null>) {
    this.#config = config;
    this.reason = reason;
    this.#log = log;
    this.#ended = ended;
    this.#lock = lockDataDir(config.dataDir, 'Davit');
  }

  /** Tries to open the state. Returns whether the instance starts. */
  open(acceptsRows: boolean): boolean {
    const { dataDir } = this.#config;
    this.unlock();
    try {
      this.#ended.resolve(openState(this.#config, { acceptsRows }));
      return true;
    } catch (error) {
      // A repair can cause other errors, for example a folder instead of a file. Safe mode shows these errors too.
      this.reason = reasonOf(error, dataDir) ?? { ...this.reason, message: (error as Error).message };
      this.#log.error({ error }, 'the state could not be opened');
    }
    try {
      this.#lock = lockDataDir(dataDir, 'Davit');
    } catch (error) {
      this.#ended.reject(error);
    }
    return false;
  }

  unlock(): void {
    this.#lock?.[Symbol.dispose]();
    this.#lock = null;
  }
}

/** Tries to open the state regularly while the disk is full, because an operator may have freed space. */
function retryWhileFull(state: LockedState): Disposable {
  const timer = setInterval(() => {
    if (state.reason.problem === 'full') state.open(false);
  }, RETRY_S * 1_000);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Chooses the port of the API as a normal start does. The database is unreadable, so a file contains the last port. */
async function settleListen({ listen, dataDir }: Config, report: Report): Promise<Config['listen']> {
  const { port: remembered } = readLastStart(dataDir);
  const where = { hosts: [listen.host], purpose: 'the API', remembered, ours: false };
  const { port, note } = await choosePort(listen, where);
  if (note) report.note(note);
  return { ...listen, port };
}
