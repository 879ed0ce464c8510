/** Why an app that holds a volume or a port of the machine runs one instance: the rule, both ways. */
import { DavitError } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Reader } from '../../db/store.ts';
import { tcpPortsOfApp } from '../../db/tables/tcp-port.ts';
import { volumesOfApp } from '../../db/tables/volume.ts';

/** @throws DavitError conflict for a scale over 1 of an app that has a volume or publishes a port */
export function refuseCopies(db: Reader, app: Pick<AppTarget, 'id'>, scale: number): void {
  if (scale <= 1) return;
  const [volume] = volumesOfApp(db, app.id);
  if (volume !== undefined)
    throw new DavitError(
      'conflict',
      `The app keeps ${volume.path} in a volume, which two instances must not write to: leave its scale at 1, or remove the volume first.`,
    );
  const [port] = tcpPortsOfApp(db, app.id);
  if (port !== undefined)
    throw new DavitError(
      'conflict',
      `The app publishes port ${port.host_port} of the machine, which only one instance can have: leave its scale at 1, or remove the port first.`,
    );
}

/**
 * @param what `A volume`, at the start of the sentence
 * @throws DavitError conflict for an app that is to run more than one instance
 */
export function demandOneInstance({ spec }: AppTarget, what: string): void {
  if (spec.scale <= 1) return;
  throw new DavitError(
    'conflict',
    `${what} is for one instance: set the app’s scale to 1 first, now it is ${spec.scale}.`,
  );
}
