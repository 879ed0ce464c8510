/** Runs database client programs, such as `psql`, inside database containers with `docker exec`. */
import type { Engine } from '../../adapters/engine/engine.ts';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { DatabaseCommand, DatabaseFacts } from './dialects/dialect.ts';

const MOST_OUTPUT_BYTES = 1024 * 1024;

const COMMAND_MS = 60_000;

/**
 * Error of a failed database command. The error message is the output of the database server. Passwords and keys are
 * removed from the message.
 */
export class StatementFailed extends Error {
  override name = 'StatementFailed';
  /**
   * Whether open sessions of apps may have blocked the command. If `true`, Davit can replace the container of the
   * database server. The replacement ends all sessions.
   */
  readonly isHeld: boolean;

  constructor(message: string, isHeld = false) {
    super(message);
    this.isHeld = isHeld;
  }
}

/**
 * Runs a client command in a database container. If the function `followUp` of the command returns another command,
 * this command runs next.
 * @returns the standard output of all commands in order, at most 1 MiB for each command
 * @throws StatementFailed if a command fails or takes more than 60 seconds
 * @throws EngineRefused if the container does not run
 * @throws EngineUnavailable
 */
export async function runCommand(
  engine: Pick<Engine, 'execute'>,
  containerId: string,
  command: DatabaseCommand,
  facts: DatabaseFacts,
  signal: AbortSignal,
): Promise<string> {
  const output = await runOnce(engine, containerId, command, facts, signal);
  const next = command.followUp?.(output) ?? null;
  return next === null ? output : `${output}${await runCommand(engine, containerId, next, facts, signal)}`;
}

async function runOnce(
  engine: Pick<Engine, 'execute'>,
  containerId: string,
  { command, user, env, stdin, isGood = () => true, held }: DatabaseCommand,
  facts: DatabaseFacts,
  signal: AbortSignal,
): Promise<string> {
  const deadline = AbortSignal.timeout(COMMAND_MS);
  const execution = await engine.execute(
    containerId,
    { command, user, ...(env !== undefined && { env }) },
    { stdin: once(stdin), signal: AbortSignal.any([signal, deadline]) },
  );
  // Ignore an error of `exited` here. The loop below reads the output stream, gets the same error, and throws it.
  execution.exited.catch(() => undefined);
  try {
    const output = await textOf(execution.stdout);
    const { exitCode, stderrTail } = await execution.exited;
    if (exitCode === 0 && isGood(output)) return output;
    const message = withoutSecrets(`${stderrTail} ${exitCode === 0 ? output : ''}`, facts);
    const isHeld = held?.test(`${stderrTail}\n${output}`) ?? false;
    throw new StatementFailed(`${command[0]} exited with code ${exitCode}: ${message}`, isHeld);
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) throw new StatementFailed(`${command[0]} did not exit within ${COMMAND_MS / 1_000} s`, true);
    throw error;
  }
}

/**
 * Returns whether a database command succeeds. Returns `false` while the database server starts.
 * @throws EngineUnavailable, the signal's reason
 */
export async function succeeds(...args: Parameters<typeof runCommand>): Promise<boolean> {
  try {
    await runCommand(...args);
    return true;
  } catch (error) {
    if (error instanceof StatementFailed || error instanceof EngineRefused) return false;
    throw error;
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield Buffer.from(text);
}

async function textOf(stdout: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdout) {
    if (size < MOST_OUTPUT_BYTES) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MOST_OUTPUT_BYTES);
}

/**
 * Removes passwords and keys from the output of a database server. An error message of the server can contain the
 * invalid command, and the command may contain a password.
 */
function withoutSecrets(text: string, { login, otherLogins, adminPassword, tls }: DatabaseFacts): string {
  const secrets = [adminPassword, tls.key, ...[login, ...otherLogins].map(({ password }) => password)];
  const plain = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return plain
    .replaceAll(/SCRAM-SHA-256\$\S+/g, '…')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(-1_000);
}
