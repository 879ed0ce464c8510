import { DavitError } from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { Terminal, TerminalSize } from '../../adapters/engine/terminal.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { type InstanceRow, instancesOfApp } from '../../db/tables/instance.ts';
import type { ShellsDeps } from './deps.ts';

export interface ShellRequest {
  /** Name of the replica. `undefined` selects the first running replica of the live release. */
  replica: string | undefined;
  /** Program to start in the replica's container, with its arguments. */
  command: string[];
  size: TerminalSize;
}

export interface Shell {
  replica: string;
  terminal: Terminal;
}

/**
 * Starts a program with a terminal in a running replica, like `docker exec -it`.
 * @throws DavitError conflict if the replica does not run or the program is missing
 */
export async function openShell(
  core: ShellsDeps,
  app: AppTarget,
  request: ShellRequest,
  signal: AbortSignal,
): Promise<Shell> {
  const { name, container_id } = runningReplica(core, app, request.replica);
  try {
    const program = { command: request.command };
    const terminal = await core.engine.openTerminal(container_id, program, request.size, signal);
    return { replica: name, terminal };
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    const message = `${sentence(error.message)} Set “shell” to the path of a shell in the image.`;
    throw new DavitError('conflict', message, { cause: error });
  }
}

/**
 * Returns a running replica of an app.
 * @param name name of the replica, or `undefined` for the first one of the live release
 * @throws DavitError conflict
 */
export function runningReplica(
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
      ? 'The app has no running replica. Deploy or start the app first.'
      : 'The app has no running replica with this name. Check the name in the list of replicas of the app.',
  );
}

function isRunning(row: InstanceRow): row is InstanceRow & { container_id: string } {
  return row.role !== 'gone' && row.observed === 'running' && row.container_id !== null;
}
