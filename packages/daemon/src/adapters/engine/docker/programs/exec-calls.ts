/** What terminals and programs inside instances have in common: how one is begun, and how it ended. */
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineRefused } from '../../errors.ts';
import type { DockerClient } from '../client/client.ts';
import { engineRefusal, isStatus } from '../client/errors.ts';
import type { DockerContext } from '../context.ts';

const LOOK_AGAIN_MS = 10;

/** A program that closed its output may go on for long: it is looked at ever more rarely. */
const MOST_LOOK_AGAIN_MS = 1_000;

/** How long the engine may take to begin a program that it has taken a connection for. */
const START_LIMIT_MS = 60_000;

/** What the engine says of a program in a container. */
export interface ExecState {
  /** Null until it has ended, or could not be started. */
  ExitCode: number | null;
  /** On the engine's machine; 0: it never started, or not yet. */
  Pid: number;
}

export interface Exec {
  id: string;
  /** The program's number on the engine's machine. */
  pid: number;
  connection: Duplex;
}

export interface ExecOrder {
  /** What is done, for messages: `open terminal`. */
  doing: string;
  container: string;
  /** The engine's own fields. */
  body: { Cmd: string[]; Tty: boolean } & Record<string, unknown>;
  /** Reads what the engine says on the connection when it could not start the program. */
  wordsOf(connection: Duplex): Promise<string>;
}

/**
 * Begins a program. The signal is for what comes before: a program begins whether somebody waits or not, and is ended by
 * its number, never by letting go of its connection, which it would take for the end of its input.
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
  // What goes wrong with it shows where it is read; nobody may be reading.
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

/** The engine takes the connection before it knows whether there is such a program, and before it says that one runs. */
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
    throw new EngineRefused(`${doing}: the engine has not started the program within a minute.`);
  }
}

export interface ExitAsk {
  context: DockerContext;
  container: string;
  doing: string;
  signal: AbortSignal;
}

/** Waits for the exit code of a program whose output has ended. @throws EngineRefused when its instance ended with it */
export async function exitOf({ context, container, doing, signal }: ExitAsk, exec: string): Promise<number> {
  for (let waitMs = LOOK_AGAIN_MS; ; waitMs = Math.min(waitMs * 2, MOST_LOOK_AGAIN_MS)) {
    try {
      const { ExitCode } = await inspectExec(context.client, exec, doing);
      if (ExitCode !== null) return ExitCode;
    } catch (error) {
      if (!isStatus(error, 404, 409)) throw error;
      // The engine forgets what ran in a container with the container, and all of it when it is started anew.
      throw new EngineRefused(`${doing}: the instance ${container.slice(0, 12)} ended while it ran`, { cause: error });
    }
    await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
