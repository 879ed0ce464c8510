/**
 * Data in the database and the volume of an installed template. The data is written once and checked after each
 * operation.
 */
import type { ActName } from './install-acts.ts';
import { psql } from './live-database.ts';
import { LiveApp, type LiveHarness } from './live-harness.ts';

const WORD = 'here';

export class InstalledData {
  readonly #harness: LiveHarness;
  readonly #project: string;

  constructor(harness: LiveHarness, project: string) {
    this.#harness = harness;
    this.#project = project;
  }

  async write(): Promise<void> {
    await this.#query(`CREATE TABLE kept (word text); INSERT INTO kept VALUES ('${WORD}')`);
    const { exitCode, output } = await (await this.#app()).run('sh', '-c', `echo ${WORD} > /data/kept && sync`);
    if (exitCode !== 0) throw new Error(`write a file of ${this.#project}: ${output}`);
  }

  /** Returns a description of the data that is missing. */
  async lost(act: ActName): Promise<string[]> {
    const row = await this.#query('SELECT word FROM kept').catch(String);
    const lost = row.trim() === WORD ? [] : [`the row of ${this.#project} after ${act}: ${row.trim()}`];
    // Without its app, no container has the volume mounted, so it cannot be checked.
    if (act === 'uninstall') return lost;
    const { output } = await (await this.#app()).run('cat', '/data/kept');
    return output.trim() === WORD ? lost : [...lost, `the file of ${this.#project} after ${act}: ${output.trim()}`];
  }

  #query(sql: string): Promise<string> {
    return psql(this.#harness, `${this.#project}/production/book`, 'book', sql);
  }

  /** Returns the app, once it has only the container of its live release. */
  async #app(): Promise<LiveApp> {
    const params = { project: this.#project, environment: 'production', app: 'web' };
    await this.#harness.instance.atRest(params);
    return new LiveApp(this.#harness, params);
  }
}
