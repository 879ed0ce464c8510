/** Connections that a login opens to a database and reopens whenever one of them ends. */
import { randomBytes } from 'node:crypto';
import { type DatabaseHarness, inDatabase } from './live-database.ts';

export class HeldConnections implements AsyncDisposable {
  readonly #harness: DatabaseHarness;
  readonly #reference: string;
  readonly #enough = `/tmp/enough-${randomBytes(4).toString('hex')}`;
  readonly #running: Promise<unknown>;

  /**
   * Opens the connections.
   * @param client program that opens one connection and keeps it open
   */
  constructor(harness: DatabaseHarness, reference: string, client: readonly string[], count: number) {
    this.#harness = harness;
    this.#reference = reference;
    const one = 'while :; do "$@" >/dev/null 2>&1; sleep 1; done';
    // The shell ends itself and all of its clients, which are one process group.
    const end = `until [ -e ${this.#enough} ]; do sleep 1; done; kill 0`;
    const all = `for n in $(seq ${count}); do (${one}) & done; ${end}`;
    const running = inDatabase(harness, reference, ['sh', '-c', all, 'sh', ...client]);
    this.#running = running.catch(() => undefined);
  }

  /** Ends the clients. */
  async [Symbol.asyncDispose](): Promise<void> {
    await inDatabase(this.#harness, this.#reference, ['touch', this.#enough]);
    await this.#running;
  }
}
