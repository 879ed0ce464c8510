/** What an installed template has in its database and in its volume, written once and looked for after each act. */
import type { ActName } from './install-acts.ts';
import { psql } from './live-database.ts';
import { LiveApp, type LiveWorld } from './live-world.ts';

const WORD = 'here';

export class InstalledData {
  readonly #world: LiveWorld;
  readonly #project: string;

  constructor(world: LiveWorld, project: string) {
    this.#world = world;
    this.#project = project;
  }

  async write(): Promise<void> {
    await this.#query(`CREATE TABLE kept (word text); INSERT INTO kept VALUES ('${WORD}')`);
    const { exitCode, output } = await (await this.#app()).run('sh', '-c', `echo ${WORD} > /data/kept && sync`);
    if (exitCode !== 0) throw new Error(`write a file of ${this.#project}: ${output}`);
  }

  /** What was written and is not there any more, in words. */
  async lost(act: ActName): Promise<string[]> {
    const row = await this.#query('SELECT word FROM kept').catch(String);
    const lost = row.trim() === WORD ? [] : [`the row of ${this.#project} after ${act}: ${row.trim()}`];
    // Without its app a volume has no container to be looked into from.
    if (act === 'uninstall') return lost;
    const { output } = await (await this.#app()).run('cat', '/data/kept');
    return output.trim() === WORD ? lost : [...lost, `the file of ${this.#project} after ${act}: ${output.trim()}`];
  }

  #query(sql: string): Promise<string> {
    return psql(this.#world, `${this.#project}/production/book`, 'book', sql);
  }

  /** With the container of its live release, and no other one. */
  async #app(): Promise<LiveApp> {
    const params = { project: this.#project, environment: 'production', app: 'web' };
    await this.#world.instance.atRest(params);
    return new LiveApp(this.#world, params);
  }
}
