/**
 * Starts commands inside containers through Docker's exec API, like `docker exec`, and waits until the commands exit.
 */
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineRefused } from '../../errors.ts';
import type { Program } from '../../execution.ts';
import type { DockerClient } from '../client/client.ts';
import { engineRefusal, isStatus } from '../client/errors.ts';
import type { DockerContext } from '../context.ts';

const LOOK_AGAIN_MS = 10;

/**
 * Maximum pause in milliseconds between two checks whether a program has exited. A program can close its output and
 * continue to run for a long time.
 */
const MOST_LOOK_AGAIN_MS = 1_000;

/** Maximum time in milliseconds for Docker to start a program, after Docker has accepted the start request. */
const START_LIMIT_MS = 60_000;

/** State of a program in a container, in the format of `GET /exec/{id}/json` of the Docker Engine API. */
export interface ExecState {
  /**
   * Exit code of the program, or `null` before the program has exited. Docker also sets an exit code if the program
   * cannot be started.
   */
  ExitCode: number | null;
  /** Process id of the program on Docker's server, or 0 before the start. */
  Pid: number;
}

export interface Exec {
  id: string;
  /** Process id of the program on Docker's server. */
  pid: number;
  connection: Duplex;
}

export interface ExecOrder {
  /** Name of the request in error messages, for example `open terminal`. */
  doing: string;
  container: string;
  /** Fields of the request body for `POST /containers/{id}/exec` of the Docker Engine API. */
  body: { Cmd: string[]; Tty: boolean } & Record<string, unknown>;
  /** Reads Docker's error text from the connection if Docker cannot start the program. */
  wordsOf(connection: Duplex): Promise<string>;
}

/** Returns the fields of a Docker exec request that describe the program. */
export function programFields({ command, env = {}, user }: Program): { Cmd: string[]; Env: string[]; User?: string } {
  return {
    Cmd: command,
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    ...(user !== undefined && { User: user }),
  };
}

/**
 * Starts a program inside a container. The signal aborts only the start. Closing the connection does not end a running
 * program, so the caller must kill the process id.
 */
export async function startExec(
  client: DockerClient,
  { doing, container, body, wordsOf }: ExecOrder,
  signal: AbortSignal,
): Promise<Exec> {
  const path = `/containers/${container}/exec`;
  const { Id: id } = await client.call<{ Id: string }>({ doing, method: 'POST', path, body, signal });
  const start = { doing, method: 'POST', path: `/exec/${id}/start`, body: { Detach: false, Tty: body.Tty } } as const;
  const connection = await client.hijack(start);
  /*
   * A connection error without a listener would crash the daemon. Code that reads the connection also receives the
   * error.
   */
  connection.on('error', () => undefined);
  try {
    return { id, pid: await started(client, id, doing, () => wordsOf(connection)), connection };
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

export function inspectExec(client: DockerClient, id: string, doing: string, signal?: AbortSignal): Promise<ExecState> {
  return client.call<ExecState>({ doing, path: `/exec/${id}/json`, signal });
}

/**
 * Waits until a program is running, and returns its process id. Polling is needed, because Docker accepts the
 * connection before the program starts.
 */
async function started(client: DockerClient, id: string, doing: string, words: () => Promise<string>): Promise<number> {
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  try {
    for (;;) {
      const { Pid, ExitCode } = await inspectExec(client, id, doing, limit);
      if (Pid > 0) return Pid;
      if (ExitCode !== null) throw engineRefusal(doing, (await words()).trim());
      await delay(LOOK_AGAIN_MS, undefined, { signal: limit });
    }
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new EngineRefused(`Docker did not start the program within a minute (${doing}).`);
  }
}

export interface ExitRequest {
  context: DockerContext;
  container: string;
  doing: string;
  signal: AbortSignal;
}

/**
 * Waits for the exit code of a program that has closed its output.
 * @throws EngineRefused if the container ended while the program ran
 */
export async function exitOf({ context, container, doing, signal }: ExitRequest, exec: string): Promise<number> {
  for (let waitMs = LOOK_AGAIN_MS; ; waitMs = Math.min(waitMs * 2, MOST_LOOK_AGAIN_MS)) {
    try {
      const { ExitCode } = await inspectExec(context.client, exec, doing);
      if (ExitCode !== null) return ExitCode;
    } catch (error) {
      if (!isStatus(error, 404, 409)) throw error;
      // Docker deletes the exit code of a program when the container is removed or restarted.
      throw new EngineRefused(
        `The container ${container.slice(0, 12)} stopped while a program was running in it (${doing}).`,
        { cause: error },
      );
    }
    await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
