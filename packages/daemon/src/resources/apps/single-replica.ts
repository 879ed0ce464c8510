/** Checks that an app with a volume or a published TCP port has only one replica. */
import { DavitError, unsharedPart } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Reader } from '../../db/store.ts';
import { tcpPortsOfApp } from '../../db/tables/tcp-port.ts';
import { volumesOfApp } from '../../db/tables/volume.ts';

/**
 * Checks that an app with a volume or a published TCP port does not get more than one replica.
 * @throws DavitError conflict
 */
export function refuseSecondReplica(db: Reader, app: Pick<AppTarget, 'id'>, scale: number): void {
  const part = unsharedPart(scale, { volumes: volumesOfApp(db, app.id), tcpPorts: tcpPortsOfApp(db, app.id) });
  if (part === null) return;
  const [has, what] =
    'volume' in part
      ? [`has a volume at ${part.volume}`, 'volume']
      : [`publishes port ${part.port} of the server`, 'port'];
  throw new DavitError(
    'conflict',
    `The app ${has}, so it can have only one replica. Leave its scale at 1, or remove the ${what} first.`,
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
