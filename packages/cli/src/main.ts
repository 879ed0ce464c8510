/** The entry: as little as possible is loaded before it is known what is asked. */
import { VERSION } from './version.ts';

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const interrupt = new AbortController();
  // The second time is meant: what does not end at the first Ctrl-C is left as it is.
  process.once('SIGINT', () => {
    process.once('SIGINT', () => process.exit(130));
    interrupt.abort();
  });
  process.once('SIGTERM', () => interrupt.abort());
  // Who reads the output may leave early, as «head» does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  // Nor need anybody read what is said beside it: what was begun is brought to its end.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const { runCli } = await import('./program/run.ts');
  const { worldOfProcess } = await import('./process/world.ts');
  process.exitCode = await runCli(args, worldOfProcess(interrupt.signal));
}
