/** Runs what a dialect says inside a database's container. */
import type { Engine } from '../engine/engine.ts';
import { EngineRefused } from '../engine/errors.ts';
import type { Ask, DatabaseFacts } from './dialects/dialect.ts';

const MOST_ANSWERED_BYTES = 1024 * 1024;

/** How long one question may take. */
const ASK_MS = 60_000;

/** The database's own words on why it did not do what it was told; without what is secret. */
export class AskFailed extends Error {
  override name = 'AskFailed';
}

/**
 * @returns what the program wrote, the first MiB of it
 * @throws AskFailed when it did not end well; EngineRefused when the container does not run; EngineUnavailable
 */
export async function ask(
  engine: Pick<Engine, 'execute'>,
  containerId: string,
  { command, user, stdin, isGood = () => true }: Ask,
  facts: DatabaseFacts,
  signal: AbortSignal,
): Promise<string> {
  const deadline = AbortSignal.timeout(ASK_MS);
  const execution = await engine.execute(
    containerId,
    { command, user },
    { stdin: once(stdin), signal: AbortSignal.any([signal, deadline]) },
  );
  // Who reads the output learns of its failure there first.
  execution.exited.catch(() => undefined);
  try {
    const answer = await textOf(execution.stdout);
    const { exitCode, stderrTail } = await execution.exited;
    if (exitCode === 0 && isGood(answer)) return answer;
    const said = withoutSecrets(`${stderrTail} ${exitCode === 0 ? answer : ''}`, facts);
    throw new AskFailed(`${command[0]} ended with ${exitCode}: ${said}`);
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) throw new AskFailed(`${command[0]} did not end within ${ASK_MS / 1_000} s`);
    throw error;
  }
}

/** Whether it answers; one that is not up yet says so by failing. @throws EngineUnavailable, the signal's reason */
export async function answers(...asked: Parameters<typeof ask>): Promise<boolean> {
  try {
    await ask(...asked);
    return true;
  } catch (error) {
    if (error instanceof AskFailed || error instanceof EngineRefused) return false;
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
    if (size < MOST_ANSWERED_BYTES) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MOST_ANSWERED_BYTES);
}

/** An engine quotes what it does not understand, passwords included. */
function withoutSecrets(text: string, { login, otherLogins, adminPassword, tls }: DatabaseFacts): string {
  const secrets = [adminPassword, tls.key, ...[login, ...otherLogins].map(({ password }) => password)];
  const plain = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return plain
    .replaceAll(/SCRAM-SHA-256\$\S+/g, '…')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(-1_000);
}
