/**
 * Kills the daemon during installations, updates and removals of a template with a PostgreSQL database, two apps and a
 * volume. Afterwards checks for tasks that do not end, missing rows and files, and objects without a record.
 */

import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DavitError, type Task, type TemplateInstall } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { ACTS, type ActName, actOf, momentOf, requestAct } from './install-acts.ts';
import { emptyReport, type InstallKills } from './install-kills-report.ts';
import { InstalledData } from './installed-data.ts';
import type { LiveHarness } from './live-harness.ts';
import { differencesAtRest } from './store-and-engine.ts';

/** Time in milliseconds after a restart of the daemon within which every task must have ended. */
export const ENDED_WITHIN_MS = 60_000;

const WAITED = { wait: 'true' } as const;

/**
 * Runs rounds of operations with kills.
 * @param onKill called after each kill, when all tasks have ended
 */
export async function killDuringInstalls(
  harness: LiveHarness,
  kills: number,
  onKill: (done: number, moment: string) => void = () => undefined,
): Promise<InstallKills> {
  const run = new Run(harness, onKill);
  for (let round = 1; run.report.kills < kills; round += 1) await run.round(`round-${round}`, kills);
  return run.report;
}

class Run {
  readonly report = emptyReport();
  readonly #harness: LiveHarness;
  readonly #onKill: (done: number, moment: string) => void;

  constructor(harness: LiveHarness, onKill: (done: number, moment: string) => void) {
    this.#harness = harness;
    this.#onKill = onKill;
  }

  async round(project: string, kills: number): Promise<void> {
    for (const name of Object.keys(ACTS) as (keyof typeof ACTS)[]) {
      // After the last kill, the round is completed without further kills. An uninstalled template is adopted for that.
      const isOver = this.report.kills >= kills;
      if (isOver && name !== 'remove' && !(name === 'adopt' && (await this.#isUninstalled(project)))) continue;
      await this.#act(project, name, kills);
      if (name === 'install') await this.#data(project).write();
      else if (name !== 'remove') this.report.lostData.push(...(await this.#data(project).lost(name)));
    }
    if (this.report.kills < kills) await this.#act(`${project}-failing`, 'failingInstall', kills);
    await this.#judge(project);
    await this.#clear(project);
    this.#note(await differencesAtRest(this.#harness.instance), `${project} removed`);
  }

  async #isUninstalled(project: string): Promise<boolean> {
    const [newest] = await this.#installs(project);
    return newest?.status === 'uninstalled';
  }

  /** Repeats an operation until it has succeeded. The operation is killed at most once. */
  async #act(project: string, act: ActName, kills: number): Promise<void> {
    const [before] = await this.#installs(project);
    const task = this.report.kills < kills ? await this.#killed(project, act) : null;
    if (await this.#isDone(project, act, before, task)) return;
    const { status, error } = await this.#ask(project, act, WAITED);
    if (status !== actOf(act).end) throw new Error(`${act} of ${project} ${status}: ${error}`);
  }

  /**
   * Requests an operation, kills the daemon at a random time, starts it again and waits until all tasks have ended.
   * @returns the acknowledged task
   */
  async #killed(project: string, act: ActName): Promise<number | null> {
    const { instance } = this.#harness;
    const requested = this.#unlessKilled(this.#ask(project, act));
    await delay(randomInt(actOf(act).ms));
    await instance.kill();
    const task = await requested;
    const moment = await momentOf(instance.dataDir);
    const { report } = this;
    report.moments[moment] = (report.moments[moment] ?? 0) + 1;
    const started = performance.now();
    await instance.start();
    report.slowestStartMs = Math.max(report.slowestStartMs, performance.now() - started);
    await this.#allEnded();
    report.slowestEndMs = Math.max(report.slowestEndMs, performance.now() - started);
    report.kills += 1;
    this.#onKill(report.kills, `${act}: ${moment}`);
    return task?.id ?? null;
  }

  async #ask(project: string, act: ActName, query: { wait?: 'true' } = {}): Promise<Task> {
    const install = async () => String((await this.#installs(project))[0]?.id);
    return requestAct(this.#harness, act, { project, install, query });
  }

  /**
   * Returns the task, or null if the kill came before the response.
   * @throws DavitError for an error response, which is a failure of the test
   */
  #unlessKilled(request: Promise<Task>): Promise<Task | null> {
    return request.catch((error: unknown) => {
      if (error instanceof DavitError) throw error;
      return null;
    });
  }

  async #allEnded(): Promise<void> {
    const { client } = this.#harness;
    const open = async () => {
      const lists = [
        await client.listTasks({ query: { status: 'pending' } }),
        await client.listTasks({ query: { status: 'running' } }),
      ];
      return lists.flat();
    };
    await until('every task has ended', async () => ((await open()).length === 0 ? true : null)).catch(async () => {
      for (const { id, kind } of await open()) this.report.unended.push(`task ${id} (${kind})`);
    });
  }

  /** Returns whether the operation succeeded, according to the acknowledged task or otherwise to a recorded task. */
  async #isDone(
    project: string,
    act: ActName,
    before: TemplateInstall | undefined,
    task: number | null,
  ): Promise<boolean> {
    const { client } = this.#harness;
    const [install] = await this.#installs(project);
    const { kind, end } = actOf(act);
    const isNew = kind === 'install.install';
    const last = install?.last_task ?? null;
    if (install === undefined || last === null || (isNew && install.id === before?.id)) return this.#missed(task, null);
    const found = (await client.getTask({ params: { task: String(last) } })) as Task;
    if (found.kind !== kind || last === before?.last_task) return this.#missed(task, null);
    this.#missed(task, last);
    const outcome = `${act} ${found.status}`;
    this.report.outcomes[outcome] = (this.report.outcomes[outcome] ?? 0) + 1;
    return found.status === end;
  }

  /** Reports an acknowledged task that is not on record. @returns false */
  #missed(acknowledged: number | null, found: number | null): false {
    if (acknowledged !== null && acknowledged !== found) this.report.lostRecords.push(acknowledged);
    return false;
  }

  /** Checks that the trash contains the removed database and volume with their data. */
  async #judge(project: string): Promise<void> {
    const { client, instance } = this.#harness;
    this.#note(await differencesAtRest(instance), `${project} in the trash`);
    const databases = (await client.listTrashedDatabases()).filter((one) => one.project === project);
    const volumes = (await client.listVolumes()).filter(({ app }) => app?.startsWith(`${project}/`));
    if (databases.length !== 1) this.report.lostData.push(`${databases.length} databases of ${project} in the trash`);
    if (volumes.length !== 1) this.report.lostData.push(`${volumes.length} volumes of ${project} in the trash`);
  }

  async #clear(project: string): Promise<void> {
    const { client } = this.#harness;
    for (const { id, name, project: of } of await client.listTrashedDatabases())
      if (of === project) await client.destroyDatabase({ params: { trashed: String(id) }, query: { confirm: name } });
    for (const { id, name, app } of await client.listVolumes())
      if (app?.startsWith(`${project}/`))
        await client.deleteVolume({ params: { volume: String(id) }, query: { confirm: name } });
  }

  #note(differences: readonly string[], when: string): void {
    for (const one of differences) this.report.orphans.push(`${one} (${when})`);
  }

  #data(project: string): InstalledData {
    return new InstalledData(this.#harness, project);
  }

  /** Returns the installations of a project, newest first. */
  async #installs(project: string): Promise<TemplateInstall[]> {
    return (await this.#harness.client.listTemplateInstalls()).filter((one) => one.project === project);
  }
}
