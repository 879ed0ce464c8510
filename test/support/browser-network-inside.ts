/** Started by `browser-network.ts` in a network of its own: sets that up and leads its ports out, until it is let go. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { NETWORK } from '../../scripts/testing/apart.ts';
import { lead } from './browser-network.ts';

export interface Asked {
  /** Where each port goes: a socket in a folder. */
  doors: { port: number; path: string }[];
}

process.once('disconnect', () => process.exit(0));
const [{ doors }] = (await once(process, 'message')) as [Asked];
execFileSync('ip', ['-batch', '-'], { input: NETWORK });
await Promise.all(doors.map(({ port, path }) => lead({ port, host: '127.0.0.1' }, () => connect(path))));
process.send?.('ready');
