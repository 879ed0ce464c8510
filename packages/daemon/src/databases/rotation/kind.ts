/**
 * Another password without downtime: a second login beside the first, the apps deployed with it one beside the other, and
 * the first one taken away when nothing that was begun with it is left. Until then both are valid, whatever happens.
 */
import { engineNamed } from '@davit/template/parts';
import { attachmentsOfDatabase } from '../../store/attachment.ts';
import { lastDeploymentId } from '../../store/deployment.ts';
import { type DatabaseRow, databaseById, setDatabase } from '../../store/managed-database.ts';
import { lastRunId } from '../../store/run.ts';
import { TaskFailed, type TaskKind, type TaskStep, type TaskWork } from '../../tasks/kind.ts';
import type { Asker } from '../../tasks/tasks.ts';
import type { OfDatabase } from '../base.ts';
import type { Ask, DatabaseFacts, Dialect, Login } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { databaseRow } from '../resident.ts';
import { databaseFacts, newPassword } from '../secrets.ts';
import { tell } from '../tell.ts';
import { bringOver } from './apps.ts';
import type { DeployingBase } from './base.ts';
import { nextUsername, replaceLogin, retiringLogins } from './retiring.ts';
import { untilUnused } from './unused.ts';

export interface Rotating extends OfDatabase, Asker {
  /** A rotation that has not come to its end goes on; it does not begin another one. */
  goesOn: boolean;
}

type Work = TaskWork<Rotating, DeployingBase>;
type Step = TaskStep<Rotating, DeployingBase>;

/** @param words undefined: there is nothing to be said. @throws TaskFailed with the database's own words, EngineUnavailable */
async function say(
  { core, input, state }: Work,
  words: (dialect: Dialect, facts: DatabaseFacts) => Ask | undefined,
  signal: AbortSignal,
): Promise<void> {
  const row = databaseRow(core, input.database);
  const facts = databaseFacts(core.sealer, row);
  const asked = words(DIALECTS[row.engine], facts);
  // What it is not told yet is as secret as what it has.
  const { login } = state.get<{ login: Login }>();
  const secret = login === undefined ? facts : { ...facts, otherLogins: [...facts.otherLogins, login] };
  if (asked !== undefined) await tell(core, row, asked, secret, signal);
}

/** The login that this task makes: chosen once. */
function newLogin({ core, input, state }: Work): Login {
  const { login } = state.get<{ login: Login }>();
  if (login !== undefined) return login;
  const row = databaseRow(core, input.database);
  const username = nextUsername(row.username, engineNamed(row.engine)?.onlyUser, DIALECTS[row.engine].reserved.users);
  const chosen = { username, password: newPassword() };
  state.set({ login: chosen });
  return chosen;
}

const make: Step = {
  name: 'login',
  run: (work, signal) => say(work, (dialect, facts) => dialect.addLogin(facts, newLogin(work)), signal),
  async undo(work) {
    if (databaseById(work.core.store, work.input.database)?.container_id == null) return;
    await say(work, (dialect, facts) => dialect.dropLogin(facts, newLogin(work)), AbortSignal.timeout(UNDO_MS));
  },
};

const UNDO_MS = 60_000;

const verify: Step = {
  name: 'verify',
  run: (work, signal) => say(work, (dialect, facts) => dialect.logIn(facts, newLogin(work)), signal),
};

/** From here on what is begun gets the new login, and there is no way back: both are valid. */
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

/** For engines whose logins are not in their data: a container that starts again reads them. */
const note: Step = {
  name: 'note',
  run: (work, signal) => say(work, (dialect, facts) => dialect.noteLogins?.(facts), signal),
};

const deploy: Step = {
  name: 'deploy',
  async run({ core, input, progress }, signal) {
    const retiring = retiringLogins(core, databaseRow(core, input.database));
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
  'The password from before stays valid beside the new one, so that nothing is out of reach: mend that, then rotate again, which goes on from here.';

const wait: Step = {
  name: 'wait',
  async run({ core, input, limits }, signal) {
    const retiring = retiringLogins(core, databaseRow(core, input.database));
    if (await untilUnused(core, retiring, limits.readyEveryMs, signal)) return;
    throw new TaskFailed(
      `What ran before still ends its last requests or commands. The password from before stays valid until then: rotate again later, which goes on from here.`,
    );
  },
};

/** As the database is told of it once the others are gone. */
const drop: Step = {
  name: 'drop',
  async run(work, signal) {
    const { core, input } = work;
    const retiring = retiringLogins(core, databaseRow(core, input.database));
    const alone = (facts: DatabaseFacts): DatabaseFacts => ({ ...facts, otherLogins: [] });
    for (const login of retiring) {
      await say(work, (dialect, facts) => dialect.dropLogin(alone(facts), login), signal);
    }
    await say(work, (dialect, facts) => dialect.noteLogins?.(alone(facts)), signal);
    core.store.tx((tx) =>
      setDatabase(tx, input.database, { other_logins: null }, { change: 'credentials', at: core.now() }),
    );
  },
};

export const rotateKind: TaskKind<Rotating, DeployingBase> = {
  kind: 'database.rotate',
  steps: ({ input }) =>
    input.goesOn ? [note, deploy, wait, drop] : [make, verify, switchOver, note, deploy, wait, drop],
};
