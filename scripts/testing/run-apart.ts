/**
 * Runs inside a separate network, started by `apart.ts`. The process sets up the network, runs the requested test files
 * and returns their results.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type ApartRequest, NETWORK } from './apart.ts';
import { collectFiles } from './collect-files.ts';

execFileSync('ip', ['-batch', '-'], { input: NETWORK });
// The parent process has ended, and has already ended the processes of the files.
process.once('disconnect', () => process.exit(1));
const [{ files, root, env }] = (await once(process, 'message')) as [ApartRequest];
const collected = await collectFiles(files, root, env);
process.send?.(collected, () => process.exit(0));
