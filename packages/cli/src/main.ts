/**
 * Entry point of the CLI. Most modules are loaded after the command line has been parsed, so that the CLI starts fast.
 */
import { VERSION } from './version.ts';

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const interrupt = new AbortController();
  // The first Ctrl-C aborts the command. A second Ctrl-C ends the process immediately.
  process.once('SIGINT', () => {
    process.once('SIGINT', () => process.exit(130));
    interrupt.abort();
  });
  process.once('SIGTERM', () => interrupt.abort());
  /*
   * A command that reads stdout of the CLI, such as `head`, may close the pipe early. In this case, the CLI ends with
   * exit code 0.
   */
  process.stdout.on('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0);
    const why = code === 'ENOSPC' ? 'the disk is full' : code;
    process.stderr.write(`error: The output cannot be written (${why}). The command may already have made changes.\n`);
    process.exit(1);
  });
  // If stderr is closed, the command continues, because stderr contains only messages.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const { runCli } = await import('./program/run.ts');
  const { runtimeOfProcess } = await import('./process/runtime.ts');
  process.exitCode = await runCli(args, runtimeOfProcess(interrupt.signal));
}
