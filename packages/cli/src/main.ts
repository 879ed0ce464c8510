/**
 * Entry point of the CLI. Most modules are loaded only after the command line is parsed, so that the CLI starts fast.
 */
import { VERSION } from './version.ts';

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const interrupt = new AbortController();
  // The first Ctrl-C aborts the command. The second one ends the process immediately.
  process.once('SIGINT', () => {
    process.once('SIGINT', () => process.exit(130));
    interrupt.abort();
  });
  process.once('SIGTERM', () => interrupt.abort());
  // A program that reads the output, such as `head`, can close the pipe early. The CLI then ends with exit code 0.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  // A command continues if stderr is closed, because only messages are lost.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const { runCli } = await import('./program/run.ts');
  const { worldOfProcess } = await import('./process/world.ts');
  process.exitCode = await runCli(args, worldOfProcess(interrupt.signal));
}
