/**
 * Started by `apart.ts` in a network of its own: sets that up, runs the test files that it is asked, and
 * answers what became of them.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type Asked, NETWORK } from './apart.ts';
import { collectFiles } from './collect-files.ts';

execFileSync('ip', ['-batch', '-'], { input: NETWORK });
// Who asked is gone, and has ended what the files started.
process.once('disconnect', () => process.exit(1));
const [{ files, root, env }] = (await once(process, 'message')) as [Asked];
const collected = await collectFiles(files, root, env);
process.send?.(collected, () => process.exit(0));
