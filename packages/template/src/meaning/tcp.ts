import type { Path } from '../diagnostic.ts';
import type { DraftApp, DraftInput, DraftTcpPort } from '../draft.ts';
import { inputAlone } from '../references.ts';
import { areExclusive, type Conditions, conditionsOf } from '../rules/conditions.ts';
import { excerpt } from '../shape/words.ts';
import { hasCopies } from './copies.ts';
import { keyMeant } from './keys.ts';
import type { Scope } from './scope.ts';
import { checkGate } from './versions.ts';

/** Range of server ports that the TCP ports of apps may use. */
const LOWEST = 1024;
const HIGHEST = 65_535;

/**
 * Map from port number or input reference to the conditions of its TCP ports. Two TCP ports may have the same number if
 * their conditions are never true together.
 */
export type Taken = Map<string, Conditions[]>;

/**
 * Checks that the TCP ports of an app are different, and that the app has only one replica.
 * @param taken used server ports. This function adds the ports of the app
 */
export function checkTcp(scope: Scope, app: DraftApp, path: Path, taken: Taken): void {
  const { tcp = [] } = app;
  if (tcp.length === 0) return;
  const ports: Taken = new Map();
  for (const [index, port] of tcp.entries()) {
    const at = [...path, 'tcp', index];
    const conditions = conditionsOf(port.when, app.when);
    if (!claim(ports, String(port.port), conditions)) {
      scope.error('tcp.duplicate', [...at, 'port'], `The app opens port ${port.port} twice.`);
    }
    if (port.host === undefined) continue;
    if (checkHost(scope, port.host, [...at, 'host']) && !claim(taken, port.host, conditions)) {
      scope.error(
        'tcp.host-duplicate',
        [...at, 'host'],
        `Another TCP port of the file already uses the host port ${excerpt(port.host)}.`,
      );
    }
  }
  if (hasCopies(app)) {
    const message = 'A port of the host belongs to one replica, but this app may have several replicas.';
    scope.error('tcp.one-copy', [...path, 'tcp'], message, 'Remove `scale`, `spread` and `autoscale`.');
  }
  checkGate(scope, 'tcp', [...path, 'tcp']);
}

function claim(taken: Taken, port: string, conditions: Conditions): boolean {
  const others = taken.get(port) ?? [];
  taken.set(port, [...others, conditions]);
  return others.every((other) => areExclusive(other, conditions));
}

/**
 * Checks the server port on which a TCP port is published. Returns `true` for a number or a reference to a `number`
 * input. The caller checks only these ports for duplicates.
 */
function checkHost(scope: Scope, host: NonNullable<DraftTcpPort['host']>, at: Path): boolean {
  if (/^[-+]?\d+$/.test(host)) {
    if (Number(host) < LOWEST || Number(host) > HIGHEST) {
      scope.error('tcp.host', at, `A port of the host must be from ${LOWEST} to ${HIGHEST}, but is ${excerpt(host)}.`);
    }
    return true;
  }
  const hint = 'Add an input of type number and write `${input.<its key>}`.';
  const key = inputAlone(host);
  if (key === null) {
    scope.error('tcp.host', at, `${excerpt(host)} is not a port or exactly one reference to an input.`, hint);
    return false;
  }
  const input = scope.inputs.get(key);
  if (input === undefined) {
    const message = `${excerpt(host)} refers to the input ${excerpt(key)}, which is not declared.`;
    scope.error('reference.unknown', at, message, keyMeant(scope, key, 'input'));
    return false;
  }
  if (input.type !== 'number') {
    scope.error('tcp.host', at, `${excerpt(key)} is an input of type \`${input.type}\`, not \`number\`.`, hint);
    return false;
  }
  checkRange(scope, input, at);
  return true;
}

function checkRange(scope: Scope, { key, min, max }: DraftInput, at: Path): void {
  if (min !== undefined && min >= LOWEST && max !== undefined && max <= HIGHEST) return;
  const message = `The input ${excerpt(key)} allows numbers that are not valid ports of the host.`;
  scope.warning('tcp.host-range', at, message, `Set \`min: ${LOWEST}\` and \`max: ${HIGHEST}\`.`);
}
