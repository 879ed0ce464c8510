/** An interactive program inside an instance of an app, for a person in front of it. */
import { DavitError } from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { Terminal, TerminalSize } from '../../adapters/engine/terminal.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { type InstanceRow, instancesOfApp } from '../../db/tables/instance.ts';
import type { ShellsDeps } from './deps.ts';

export interface ShellAsk {
  /** The name of an instance; undefined: the first one of the live release that runs. */
  instance: string | undefined;
  /** The program, inside the instance, and its arguments. */
  command: string[];
  size: TerminalSize;
}

/** A terminal, and the name of the instance that it is in. */
export interface Shell {
  instance: string;
  terminal: Terminal;
}

/**
 * Starts a program with a terminal inside a running instance.
 * @param signal ends it when it aborts
 * @throws DavitError conflict when there is no such instance, it does not run or has no such program
 */
export async function openShell(core: ShellsDeps, app: AppTarget, ask: ShellAsk, signal: AbortSignal): Promise<Shell> {
  const { name, container_id } = runningInstance(core, app, ask.instance);
  try {
    const terminal = await core.engine.openTerminal(container_id, ask.command, ask.size, signal);
    return { instance: name, terminal };
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    const message = `${sentence(error.message)} Give the path of a shell that the image has as «shell».`;
    throw new DavitError('conflict', message, { cause: error });
  }
}

function runningInstance(
  { store }: ShellsDeps,
  app: AppTarget,
  name: string | undefined,
): InstanceRow & { container_id: string } {
  const running = instancesOfApp(store, app.id).filter(isRunning);
  const found =
    name === undefined
      ? running.find((row) => row.role === 'active' && row.deployment_id === app.liveDeployment)
      : running.find((row) => row.name === name);
  if (found !== undefined) return found;
  throw new DavitError(
    'conflict',
    name === undefined
      ? 'The app has no running instance to open a shell in: deploy or start it first.'
      : 'The app has no running instance of that name: read the app to see those that it has.',
  );
}

function isRunning(row: InstanceRow): row is InstanceRow & { container_id: string } {
  return row.role !== 'gone' && row.observed === 'running' && row.container_id !== null;
}
