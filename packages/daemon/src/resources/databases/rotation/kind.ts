/**
 * Password rotation of a database without downtime. The task adds a new login and deploys all apps with this login.
 * When nothing uses the old login any more, the task disables it.
 */
import { engineNamed } from '@davit/template/parts';
import { attachmentsOfDatabase } from '../../../db/tables/attachment.ts';
import { lastDeploymentId } from '../../../db/tables/deployment.ts';
import { type DatabaseRow, databaseById, setDatabase } from '../../../db/tables/managed-database.ts';
import { lastRunId } from '../../../db/tables/run.ts';
import { bringUp } from '../../../managed-services/container.ts';
import { settle, untilReady } from '../../../managed-services/ready.ts';
import { TaskFailed, type TaskKind, type TaskStep, type TaskWork } from '../../tasks/kind.ts';
import type { TaskRequester } from '../../tasks/tasks.ts';
import type { OfDatabase } from '../base.ts';
import { StatementFailed } from '../commands.ts';
import { runInTask } from '../commands-in-turn.ts';
import type { DatabaseCommand, DatabaseFacts, Dialect, Login } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { closedDatabase, DATABASE, databaseRow } from '../managed-service.ts';
import { RULES_DUE } from '../rules.ts';
import { databaseFacts, newDatabasePassword } from '../secrets.ts';
import { addressesAfter, bringOver, retiringHere } from './apps.ts';
import type { DeployingBase } from './base.ts';
import { nextUsername, otherUsernames } from './login-names.ts';
import { noteEnd, replaceLogin, retiringLogins } from './retiring.ts';
import { untilUnused } from './unused.ts';

export interface Rotating extends OfDatabase, TaskRequester {
  /** Whether the task continues an unfinished password rotation. If `false`, the task starts a new rotation. */
  goesOn: boolean;
}

type Work = TaskWork<Rotating, DeployingBase>;
type Step = TaskStep<Rotating, DeployingBase>;

/**
 * Returns the command that a step of the password rotation runs on the database server. If the step needs no command,
 * returns `undefined`.
 */
type CommandOf = (dialect: Dialect, facts: DatabaseFacts) => DatabaseCommand | undefined;

/**
 * Runs a command on the current database server.
 * @throws TaskFailed with the error message of the database server, EngineUnavailable
 */
async function runOnce({ core, input, state }: Work, command: CommandOf, signal: AbortSignal): Promise<void> {
  // Also remove the old passwords and the new password from error messages. The current password is always removed.
  const secrets = (row: DatabaseRow) => {
    const { login } = state.get<{ login: Login }>();
    return [...retiringLogins(core, row), ...(login === undefined ? [] : [login])];
  };
  await runInTask(core, input.database, { command, secrets }, signal);
}

interface ServerState {
  /**
   * Number of the container that replaces a blocked database server, or `null`. Davit saves this number before it
   * creates the container. If the daemon restarts, it can then find the container.
   */
  server: number | null;
}

/**
 * Runs a command on the database server. If open sessions of apps block the command, the function replaces the
 * container and runs the command in the new container.
 * @throws TaskFailed, EngineRefused, EngineUnavailable, or the abort reason
 */
async function runOnServer(
  work: Work,
  command: CommandOf,
  signal: AbortSignal,
  made: readonly Login[] = [],
): Promise<void> {
  const { state, log } = work;
  if (state.get<ServerState>().server == null) {
    if (await hasRun(work, command, signal)) return;
    const { generation } = databaseRow(work.core, work.input.database);
    log(
      'The password change is blocked by open connections of apps. Davit restarts the database server to close these connections.',
    );
    state.set({ server: generation + 1 } satisfies ServerState);
  }
  await runOnNewServer(work, command, made, signal);
}

/**
 * Runs a command on the database server without replacing the container.
 * @returns `false` if open sessions of apps block the command
 */
async function hasRun(work: Work, command: CommandOf, signal: AbortSignal): Promise<boolean> {
  try {
    await runOnce(work, command, signal);
    return true;
  } catch (error) {
    if (!isHeld(error)) throw error;
  }
  const { letsIn } = DIALECTS[databaseRow(work.core, work.input.database).engine];
  if (letsIn === undefined) return false;
  try {
    await runOnce(work, (_dialect, facts) => letsIn(facts), signal);
    await runOnce(work, command, signal);
    return true;
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error;
    return false;
  }
}

function isHeld(error: unknown): boolean {
  return error instanceof TaskFailed && error.cause instanceof StatementFailed && error.cause.isHeld;
}

/**
 * Replaces the container, so that no old session can block the command. Then runs the command while the new server
 * accepts only the logins `made`.
 */
async function runOnNewServer(
  work: Work,
  command: CommandOf,
  made: readonly Login[],
  signal: AbortSignal,
): Promise<void> {
  const { core, input, state, limits } = work;
  const { server } = state.get<ServerState>();
  // Mark the logins as outdated. If the daemon restarts now, a background job enables the logins again.
  core.store.tx((tx) => setDatabase(tx, input.database, { rules: RULES_DUE }));
  await bringUp(closedDatabase(made), core, input.database, server ?? 0, signal);
  await untilReady(DATABASE, core, input.database, limits, signal);
  try {
    await runOnce(work, (dialect, facts) => command(dialect, { ...facts, admitted: made }), signal);
  } finally {
    const all = (facts: DatabaseFacts) => ({ ...facts, otherLogins: [...facts.otherLogins, ...made] });
    await runOnce(work, (dialect, facts) => dialect.admit?.(all(facts)), signal);
    state.set({ server: null } satisfies ServerState);
    await settle(DATABASE, core, input.database);
  }
}

/**
 * Returns the new login of this password rotation. The first call creates the login and saves it. Later calls return
 * the saved login.
 */
function newLogin({ core, input, state }: Work): Login {
  const { login } = state.get<{ login: Login }>();
  if (login !== undefined) return login;
  const row = databaseRow(core, input.database);
  const username = nextUsername(row.username, engineNamed(row.engine)?.onlyUser, DIALECTS[row.engine].reserved.users);
  const chosen = { username, password: newDatabasePassword() };
  state.set({ login: chosen });
  return chosen;
}

const make: Step = {
  name: 'login',
  run: (work, signal) =>
    runOnServer(work, (dialect, facts) => dialect.addLogin(facts, newLogin(work)), signal, [newLogin(work)]),
  async undo(work) {
    if (databaseById(work.core.store, work.input.database)?.container_id == null) return;
    await end(work, newLogin(work), [], AbortSignal.timeout(UNDO_MS));
  },
};

/**
 * Time limit in milliseconds for the undo of a password rotation. The limit is long, because the undo may have to
 * replace the container of the database server.
 */
const UNDO_MS = 5 * 60_000;

const verify: Step = {
  name: 'verify',
  async run(work, signal) {
    const made = [newLogin(work)];
    const logIn = () => runOnServer(work, (dialect, facts) => dialect.logIn(facts, newLogin(work)), signal, made);
    try {
      await logIn();
    } catch (error) {
      if (!(error instanceof TaskFailed)) throw error;
      // Create the new login again. If the daemon restarted, an earlier command may have disabled the login.
      await make.run(work, signal);
      await logIn();
    }
  },
};

/**
 * Makes the new login the current login. The old login is still valid, but the password rotation can no longer be
 * undone.
 */
const switchOver: Step = {
  name: 'switch',
  final: true,
  async run(work) {
    const { core, input } = work;
    const login = newLogin(work);
    core.store.tx((tx) => {
      const row = databaseById(tx, input.database);
      if (row === undefined || isInUse(core, row, login)) return;
      const apps = attachmentsOfDatabase(tx, row.id).map(({ app_id }) => app_id);
      replaceLogin(core, tx, row, login, { apps, lastDeployment: lastDeploymentId(tx), lastRun: lastRunId(tx) });
    });
  },
};

function isInUse({ sealer }: DeployingBase, row: DatabaseRow, { username, password }: Login): boolean {
  const { login } = databaseFacts(sealer, row);
  return login.username === username && login.password === password;
}

/**
 * Task step that writes the current logins to a file in the container. The step is for database engines that read
 * logins from a file, such as Redis.
 */
const note: Step = {
  name: 'note',
  async run(work, signal) {
    await runOnServer(work, (dialect, facts) => dialect.noteLogins?.(facts), signal);
    // If a session of the old login blocks the new permissions, a background job sets the permissions later.
    await renewOrLater(work, signal);
  },
};

/**
 * Sets the passwords and permissions of all logins. If this fails, the password rotation continues, because it must
 * still disable the old login.
 */
async function renewOrLater(work: Work, signal: AbortSignal): Promise<void> {
  try {
    await runOnce(work, (dialect, facts) => dialect.renewRules(facts), signal);
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error;
    work.log(`The permissions of the database logins could not be updated, and Davit tries again. ${error.message}`);
    work.core.store.tx((tx) => setDatabase(tx, work.input.database, { rules: RULES_DUE }));
  }
}

const deploy: Step = {
  name: 'deploy',
  async run({ core, input, progress }, signal) {
    const retiring = retiringHere(core, databaseRow(core, input.database));
    const tasks = retiring.flatMap((login) => login.apps.map((app) => ({ app, login })));
    let done = 0;
    progress(0, tasks.length, 'apps');
    const outcomes = await Promise.all(
      tasks.map(async ({ app, login }) => {
        const failure = await bringOver(core, app, login, { by: input.by, via: input.via }, signal);
        done += 1;
        progress(done, tasks.length, 'apps');
        return failure;
      }),
    );
    const failures = outcomes.filter((failure) => failure !== null);
    if (failures.length > 0) throw new TaskFailed(`${failures.join(' ')} ${WHAT_NOW}`);
  },
};

const WHAT_NOW =
  'Both the old and the new password are still valid. Solve the deployment errors of the apps, then start the password rotation again.';

const wait: Step = {
  name: 'wait',
  async run({ core, input, limits }, signal) {
    const retiring = retiringHere(core, databaseRow(core, input.database));
    if (await untilUnused(core, retiring, limits.readyEveryMs, signal)) return;
    throw new TaskFailed(
      'The old password stays valid, because some apps or their running commands still use it. Start the password rotation again later.',
    );
  },
};

const drop: Step = {
  name: 'drop',
  async run(work, signal) {
    const { core, input } = work;
    core.store.tx((tx) => noteEnd(core, tx, databaseRow(core, input.database)));
    await runOnServer(work, (dialect, facts) => dialect.noteLogins?.(facts), signal);
    for (const login of retiringLogins(core, databaseRow(core, input.database)))
      await end(work, login, addressesAfter(core.store, input.database, login), signal);
    core.store.tx((tx) =>
      setDatabase(tx, input.database, { other_logins: null }, { change: 'credentials', at: core.now() }),
    );
    /*
     * Remove unknown accounts again. An open session with administrator permissions may have created an account in the
     * meantime.
     */
    await renewOrLater(work, signal);
  },
};

async function end(work: Work, login: Login, addresses: readonly string[], signal: AbortSignal): Promise<void> {
  await runOnServer(work, (dialect, facts) => dialect.endLogin(facts, login, addresses), signal);
  await removeEnded(work, login, signal);
}

/**
 * Deletes a disabled login, and other disabled logins that could not be deleted earlier. Errors are ignored, because a
 * disabled login cannot be used to sign in.
 */
async function removeEnded(work: Work, { username }: Login, signal: AbortSignal): Promise<void> {
  const removed = (dialect: Dialect, facts: DatabaseFacts) => {
    const valid = [facts.login, ...facts.otherLogins].map((one) => one.username);
    const names = [username, ...otherUsernames(username, dialect.reserved.users)];
    return dialect.removeLogins?.(
      facts,
      names.filter((name) => name === username || !valid.includes(name)),
    );
  };
  try {
    // If open sessions block the deletion of the old login, try again later. The old login is already disabled.
    await runOnce(work, removed, signal);
  } catch (error) {
    if (!(error instanceof TaskFailed)) throw error;
    work.log(
      `The old login ${username} is disabled but could not be removed from the server. ${error.message} Correct the error, then rotate the password again to remove the login.`,
    );
  }
}

export const rotateKind: TaskKind<Rotating, DeployingBase> = {
  kind: 'database.rotate',
  steps: ({ input }) =>
    input.goesOn ? [note, deploy, wait, drop] : [make, verify, switchOver, note, deploy, wait, drop],
};
