/** Started by `apart.ts` in a network of its own: sets that up, runs the test file that it is asked, and answers what became of it. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type Asked, NETWORK } from './apart.ts';
import { collectFile } from './collect-file.ts';

execFileSync('ip', ['-batch', '-'], { input: NETWORK });
// Who asked is gone, and has ended what the file started.
process.once('disconnect', () => process.exit(1));
const [{ file, root, env }] = (await once(process, 'message')) as [Asked];
const result = await collectFile(file, root, env);
process.send?.(result, () => process.exit(0));
