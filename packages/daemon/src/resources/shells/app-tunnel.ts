import { DavitError } from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { deploymentById } from '../../db/tables/deployment.ts';
import type { ShellsDeps } from './deps.ts';
import type { ShellProgram } from './program.ts';
import { runningReplica } from './shell.ts';
import { tunnelThrough } from './tunnel.ts';

export interface AppTunnelRequest {
  /** Name of the replica. `undefined` selects the first running replica of the live release. */
  replica: string | undefined;
  /** Port in the container. `undefined` selects the port to which the proxy forwards the requests of the app. */
  port: number | undefined;
}

/**
 * Opens a TCP connection to a port of a running replica.
 * @throws DavitError conflict if the replica does not run, or no program listens on the port
 */
export async function openAppTunnel(
  core: ShellsDeps,
  app: AppTarget,
  request: AppTunnelRequest,
  signal: AbortSignal,
): Promise<{ replica: string; program: ShellProgram }> {
  const { name, container_id, deployment_id } = runningReplica(core, app, request.replica);
  // Use the port of the replica's deployment, because the app's settings may already contain another port.
  const port = request.port ?? deploymentById(core.store, deployment_id)?.port ?? null;
  if (port === null) throw new DavitError('conflict', 'The app has no port. Set “port” to a port of its container.');
  try {
    const connection = await core.engine.openConnection(container_id, port, signal);
    return { replica: name, program: tunnelThrough(connection) };
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    const message = `${sentence(error.message)} Check the port of the app.`;
    throw new DavitError('conflict', message, { cause: error });
  }
}
