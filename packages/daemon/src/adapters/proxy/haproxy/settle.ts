/** Changes the running HAProxy to the desired state and waits until the new servers are up. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../engine/docker/context.ts';
import { SUPERSEDED } from '../latest-wins.ts';
import type { SyncProblem } from '../proxy.ts';
import { answerCodeOf } from './answers.ts';
import { type ConfigMark, parseMark } from './config.ts';
import type { Desired, DesiredBackend } from './desired.ts';
import { CERTIFICATE_LIST, CHALLENGES_MAP, ROUTES_MAP, RULES_MAP } from './names.ts';
import {
  closing,
  finishing,
  judgeServers,
  leftovers,
  missingRoutes,
  opening,
  present,
  type Verdict,
} from './reconcile.ts';
import { parseCertificates, parseLastChecks, parseMap, parseServersState, type Running } from './running.ts';
import { parseInfo, sendCommands } from './runtime.ts';

/** State of the running HAProxy before an update. */
export interface ReadState extends Running {
  /**
   * Hash and number of backends of the running HAProxy configuration, from its field `description`. `null` if Davit did
   * not write the description.
   */
  mark: ConfigMark | null;
}

/**
 * Start time for a server that existed before the update. With this value, the waiting time has already passed, because
 * Davit waits only for new servers.
 */
const OVER = Number.NEGATIVE_INFINITY;

const ALL_SERVERS = 'show servers state';

export async function readState(socket: string): Promise<ReadState> {
  const maps = [ROUTES_MAP, RULES_MAP, CHALLENGES_MAP].map((map) => `show map ${map}`);
  const [info = '', servers = '', routes = '', rules = '', challenges = '', certificates = ''] = await sendCommands(
    socket,
    [...['show info', ALL_SERVERS, ...maps, `show ssl crt-list -n ${CERTIFICATE_LIST}`]],
  );
  return {
    mark: parseMark(parseInfo(info).description),
    servers: parseServersState([servers]),
    routes: parseMap(routes),
    rules: parseMap(rules),
    challenges: parseMap(challenges),
    certificates: parseCertificates(certificates),
  };
}

/**
 * Maximum number of backends for which Davit sends one query per backend. For more backends, one HAProxy query for all
 * servers is faster.
 */
const MAX_SINGLE_QUERIES = 20;
const LONGEST_PAUSE_MS = 50;

export interface SettleOptions {
  socket: string;
  desired: Desired;
  state: ReadState;
  /**
   * Maximum time in milliseconds to wait until a new server is up. The time starts with the first HAProxy update that
   * contains the server.
   */
  patienceMs: number;
  /**
   * Returns whether newer routes have arrived. The current update can then stop, because the next update applies the
   * newer routes.
   */
  superseded: () => boolean;
}

export class Settling {
  readonly #log: Log;
  /**
   * Time at which Davit started to wait for a server, by `backend/server`. Later HAProxy updates do not change the
   * time.
   */
  #waitingSince = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Restarts the waiting time for all servers. This method is called if a new HAProxy process may have started, because
   * the new process has not checked the servers yet.
   */
  forget(): void {
    this.#waitingSince.clear();
  }

  /**
   * Changes HAProxy to the desired state.
   * @returns the active servers that are not up, or `SUPERSEDED` if a newer desired state ended the wait early
   */
  async settle(options: SettleOptions): Promise<SyncProblem[] | typeof SUPERSEDED> {
    const { socket, desired, state, superseded } = options;
    this.#remember(desired, state);
    const routes = missingRoutes(desired, state);
    let waiting = present(desired, state.mark?.slots ?? 0);
    let servers = await this.#open(options);
    const problems: SyncProblem[] = [];
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const judged = waiting.map((backend) => this.#judge(backend, servers, options.patienceMs));
      const settled = judged.filter(({ verdicts }) => verdicts.every(({ state }) => state !== 'waiting'));
      await this.#send(
        socket,
        settled.flatMap(({ backend, running, verdicts }) =>
          finishing(backend, running, verdicts, routes.get(backend.name) ?? []),
        ),
      );
      problems.push(...settled.flatMap(({ backend, verdicts }) => problemsOf(backend, verdicts)));
      waiting = waiting.filter((backend) => !settled.some((entry) => entry.backend === backend));
      if (waiting.length === 0) break;
      if (superseded()) return SUPERSEDED;
      await delay(pauseMs);
      servers = await look(socket, waiting);
    }
    await this.#send(socket, closing(desired, state));
    return this.#explain(socket, problems);
  }

  /**
   * Adds missing servers and missing routes to the running HAProxy. Returns all servers that HAProxy has after this
   * change.
   */
  async #open({ socket, desired, state }: SettleOptions): Promise<Running['servers']> {
    const commands = [...opening(desired, state, state.mark?.slots ?? 0), ...leftovers(desired, state)];
    if (commands.length === 0) return state.servers;
    const answers = await this.#send(socket, [...commands, ALL_SERVERS]);
    return parseServersState([answers.at(-1) ?? '']);
  }

  #judge(backend: DesiredBackend, servers: Running['servers'], patienceMs: number) {
    const running = servers.get(backend.name) ?? [];
    const now = performance.now();
    const isPatient = (server: string) => now < (this.#waitingSince.get(`${backend.name}/${server}`) ?? 0) + patienceMs;
    const verdicts = judgeServers(backend, running, isPatient);
    for (const { server, state } of verdicts)
      if (state === 'up') this.#waitingSince.set(`${backend.name}/${server}`, OVER);
    return { backend, running, verdicts };
  }

  #remember(desired: Desired, state: ReadState): void {
    const waitingSince = new Map<string, number>();
    for (const { name: backend, servers } of desired.backends.values()) {
      for (const { name, active } of servers) {
        if (!active) continue;
        const running = state.servers.get(backend)?.find((server) => server.name === name);
        /*
         * Does not wait for a server that was already down before the update, because the update probably concerns
         * another app.
         */
        const hasHadItsTime = running?.admin === 'ready' && running.sight === 'down';
        const path = `${backend}/${name}`;
        waitingSince.set(path, this.#waitingSince.get(path) ?? (hasHadItsTime ? OVER : performance.now()));
      }
    }
    this.#waitingSince = waitingSince;
  }

  /**
   * Sends commands to HAProxy and logs unexpected responses. An unexpected response is not an error, because the next
   * update reads HAProxy's actual state and corrects it.
   */
  async #send(socket: string, commands: string[]): Promise<string[]> {
    const answers = await sendCommands(socket, commands);
    for (const [index, answer] of answers.entries()) {
      const command = commands[index] ?? '';
      if (!isExpected(command, answer)) this.#log.warn({ command, answer }, 'HAProxy refused a runtime command');
    }
    return answers;
  }

  async #explain(socket: string, problems: SyncProblem[]): Promise<SyncProblem[]> {
    const backends = [...new Set(problems.map(({ slot }) => `b${slot}`))];
    const answers = await sendCommands(
      socket,
      backends.map((backend) => `show stat ${backend} 4 -1`),
    );
    const words = parseLastChecks(answers);
    return problems.map((problem) => ({
      ...problem,
      reason: words.get(`b${problem.slot}/${problem.server}`) ?? problem.reason,
    }));
  }
}

function problemsOf({ slot }: DesiredBackend, verdicts: Verdict[]): SyncProblem[] {
  const reason = 'the proxy did not add this replica as a server: find the reason in the log of the proxy';
  return verdicts.filter(({ state }) => state === 'down').map(({ server }) => ({ slot, server, reason }));
}

async function look(socket: string, waiting: DesiredBackend[]): Promise<Running['servers']> {
  const each = waiting.map(({ name }) => `${ALL_SERVERS} ${name}`);
  return parseServersState(await sendCommands(socket, each.length > MAX_SINGLE_QUERIES ? [ALL_SERVERS] : each));
}

function isExpected(command: string, answer: string): boolean {
  if (command.startsWith('show ') || answer === '') return true;
  if (command.startsWith('add server ')) return answerCodeOf(answer) === 'server_added';
  /*
   * HAProxy refuses to delete a server with open connections. The response is not logged, because Davit tries again
   * later.
   */
  return command.startsWith('del server ');
}
