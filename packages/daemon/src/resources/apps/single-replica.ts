/** Checks that an app with a volume or a published TCP port has only one replica. */
import { DavitError } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Reader } from '../../db/store.ts';
import { tcpPortsOfApp } from '../../db/tables/tcp-port.ts';
import { volumesOfApp } from '../../db/tables/volume.ts';

/**
 * Checks that an app with a volume or a published TCP port does not get more than one replica.
 * @throws DavitError conflict
 */
export function refuseSecondReplica(db: Reader, app: Pick<AppTarget, 'id'>, scale: number): void {
  if (scale <= 1) return;
  const [volume] = volumesOfApp(db, app.id);
  if (volume !== undefined)
    throw new DavitError(
      'conflict',
      `The app has a volume at ${volume.path}, so it can have only one replica. Leave its scale at 1, or remove the volume first.`,
    );
  const [port] = tcpPortsOfApp(db, app.id);
  if (port !== undefined)
    throw new DavitError(
      'conflict',
      `The app publishes port ${port.host_port} of the server, so it can have only one replica. Leave its scale at 1, or remove the port first.`,
    );
}

/**
 * Checks that an app has only one replica before the app gets a volume or a published TCP port.
 * @param what subject of the error message, such as `A volume`
 * @throws DavitError conflict
 */
export function demandOneReplica({ spec }: AppTarget, what: string): void {
  if (spec.scale <= 1) return;
  throw new DavitError(
    'conflict',
    `${what} requires an app with one replica, but the scale of this app is ${spec.scale}. Set its scale to 1 first.`,
  );
}
