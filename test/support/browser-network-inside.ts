/**
 * Runs inside a separate network namespace, started by `browser-network.ts`. The process sets up the network and
 * forwards its ports until the parent disconnects.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { NETWORK } from '../../scripts/testing/apart.ts';
import { lead } from './browser-network.ts';

export interface NetworkRequest {
  /** Ports to forward, each with the path of a socket in a folder. */
  doors: { port: number; path: string }[];
}

process.once('disconnect', () => process.exit(0));
const [{ doors }] = (await once(process, 'message')) as [NetworkRequest];
execFileSync('ip', ['-batch', '-'], { input: NETWORK });
await Promise.all(doors.map(({ port, path }) => lead({ port, host: '127.0.0.1' }, () => connect(path))));
process.send?.('ready');
