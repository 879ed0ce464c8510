/** Entry of the CLI. Little code is loaded before the command line is parsed. */
import { VERSION } from './version.ts';

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const interrupt = new AbortController();
  // A second Ctrl-C ends the process immediately, if the first one did not end the command.
  process.once('SIGINT', () => {
    process.once('SIGINT', () => process.exit(130));
    interrupt.abort();
  });
  process.once('SIGTERM', () => interrupt.abort());
  // A reader of the output can stop early, for example `head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  // A closed stderr does not stop the command.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const { runCli } = await import('./program/run.ts');
  const { worldOfProcess } = await import('./process/world.ts');
  process.exitCode = await runCli(args, worldOfProcess(interrupt.signal));
}
