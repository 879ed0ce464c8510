/**
 * Opens connections to a Redis database with the present password, from an address that belongs to no app.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pathOf } from './live-database.ts';
import type { LiveHarness } from './live-harness.ts';

const EVERY_MS = 50;
/** Maximum number of connections, less than the server accepts. */
const MOST = 2_000;

export class RedisClients implements AsyncDisposable {
  readonly #address: string;
  readonly #password: string;
  readonly #signedIn: Socket[] = [];
  #isRefused = false;
  #stopped = new AbortController();
  #opening: Promise<void> = Promise.resolve();

  private constructor(address: string, password: string) {
    this.#address = address;
    this.#password = password;
  }

  static async create(harness: LiveHarness, reference: string): Promise<RedisClients> {
    const { password } = await harness.client.getDatabaseCredentials({ params: pathOf(reference) });
    const label = [`davit.instance=${harness.instance.id}`, 'davit.kind=database', `davit.app=${reference}`];
    const [found] = await harness.docker.listContainers({ filters: { label } });
    const [network] = Object.values(found?.NetworkSettings.Networks ?? {});
    return new RedisClients(String(network?.IPAddress), String(password));
  }

  /**
   * Opens a connection, sends commands on it and keeps it open.
   * @returns a function that returns whether the server has closed the connection
   */
  async hold(...commands: string[]): Promise<() => boolean> {
    await this.#signIn();
    const socket = this.#signedIn.at(-1);
    if (socket === undefined) throw new Error('the server refuses the password');
    for (const command of commands) await answerOf(socket, command);
    return () => socket.destroyed;
  }

  /** Opens connections until {@link stop}. */
  open(): void {
    this.#opening = this.#openAll();
  }

  /**
   * Removes the password with CONFIG repeatedly on one connection, while others connect without a password, until
   * {@link stop}.
   */
  async openByConfig(): Promise<void> {
    await this.#signIn();
    this.#opening = Promise.all([this.#takeAway(), ...Array.from({ length: 4 }, () => this.#comeIn())]).then(
      () => undefined,
    );
  }

  async #takeAway(): Promise<void> {
    const [socket] = this.#signedIn;
    while (!this.#stopped.signal.aborted && socket !== undefined && !socket.destroyed) {
      await answerOf(socket, 'CONFIG SET requirepass planted');
      await answerOf(socket, 'CONFIG SET requirepass ""');
    }
  }

  async #comeIn(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const socket = connect(6379, this.#address).on('error', () => undefined);
      if ((await answerOf(socket, 'PING')).startsWith('+PONG') && this.#signedIn.length < MOST)
        this.#signedIn.push(socket);
      else socket.destroy();
      await delay(2);
    }
  }

  /**
   * Stops opening connections.
   * @returns whether the password is refused now, and the number of connections that still respond
   */
  async stop(): Promise<{ refused: boolean; answering: number }> {
    this.#stopped.abort();
    await this.#opening;
    await this.#signIn();
    const answers = await Promise.all(this.#signedIn.map((socket) => answerOf(socket, 'PING')));
    return { refused: this.#isRefused, answering: answers.filter((answer) => answer.startsWith('+PONG')).length };
  }

  async #openAll(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await this.#signIn();
      await delay(EVERY_MS, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
    }
  }

  async #signIn(): Promise<void> {
    const socket = connect(6379, this.#address).on('error', () => undefined);
    const answer = await answerOf(socket, `AUTH default ${this.#password}`);
    this.#isRefused = answer.startsWith('-WRONGPASS');
    if (answer.startsWith('+OK')) this.#signedIn.push(socket);
    else socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    await this.#opening;
    for (const socket of this.#signedIn) socket.destroy();
  }
}

/**
 * Sends a command.
 * @returns the response, or an empty text if the connection is closed
 */
async function answerOf(socket: Socket, command: string): Promise<string> {
  if (socket.destroyed) return '';
  const ended = new AbortController();
  const closed = once(socket, 'close', { signal: ended.signal }).then(() => '');
  const answered = once(socket, 'data', { signal: ended.signal }).then(([data]) => String(data));
  socket.write(`${command}\r\n`);
  const first = await Promise.race([answered, closed]);
  ended.abort();
  // The race has decided, so the other promise is only awaited to avoid an unhandled rejection.
  await Promise.allSettled([answered, closed]);
  return first;
}
