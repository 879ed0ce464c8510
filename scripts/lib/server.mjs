/** Runs a server in the foreground: starts it, shows the progress of its start, and reports how it ended. */
import { startReporting } from './child.mjs';
import { StepFailure } from './steps.mjs';

/**
 * Returns a signal that aborts at the first stop signal of the process. Later stop signals have no effect, because the
 * server is already stopping.
 */
export function stopSignal() {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/**
 * Starts a server and shows its steps until it reports that it runs or failed.
 * @param {string[]} command
 * @param {{ name: string, logFile: string, variable?: string, steps: ReturnType<typeof
 * import('./steps.mjs').createSteps>, stopping: AbortSignal }} options `name`: name of the server, as in "start the
 * instance"
 * @returns `next`: function that returns the next message of the server
 */
export async function startServer(command, { name, logFile, variable, steps, stopping }) {
  const stopClock = steps.waiting(`start the ${name}`);
  const { next: reported, settle } = reports();
  const onMessage = (message) => {
    if (message.kind === 'step') steps.done(message.name, message.ms);
    else if (message.kind === 'note') steps.note(message.text);
    else settle(message);
  };
  const { child, ended } = await startReporting(command, { logFile, onMessage, variable });
  stopping.addEventListener('abort', () => child.kill('SIGTERM'));
  if (stopping.aborted) child.kill('SIGTERM');
  const next = () => Promise.race([reported(), ended.then(() => ({ kind: 'ended' }))]);
  const outcome = await next();
  stopClock();
  return { ended, outcome, next };
}

/** Returns a queue of the messages of a server. A server in safe mode sends a second message when it starts. */
function reports() {
  const waiting = [];
  const messages = [];
  return {
    settle(message) {
      const resolve = waiting.shift();
      if (resolve === undefined) messages.push(message);
      else resolve(message);
    },
    next() {
      return new Promise((resolve) => {
        if (messages.length > 0) resolve(messages.shift());
        else waiting.push(resolve);
      });
    },
  };
}

/**
 * Waits for the end of a server and reports it.
 * @param {Promise<{ code: number | null, signal: string | null, words: string }>} ended
 * @param {{ name: string, logFile: string, again: string, serving?: string, steps: ReturnType<typeof
 * import('./steps.mjs').createSteps>, stopping: AbortSignal }} options `again`: command that starts it; `serving`: what
 * keeps running without it
 * @returns {Promise<number>} the exit code of this command
 */
export async function watchOver(ended, { name, logFile, again, serving = '', steps, stopping }) {
  const stopRequestedAt = new Promise((resolve) =>
    stopping.addEventListener('abort', () => resolve(performance.now())),
  );
  const { code, signal, words } = await ended;
  /*
   * Exit code 0 means an orderly stop, also if another program stopped the server. A server that is stopped during its
   * start has no signal handlers yet, so the signal itself ends it.
   */
  if (code === 0 || (stopping.aborted && signal === 'SIGTERM')) {
    steps.line('');
    const since = await Promise.race([stopRequestedAt, performance.now()]);
    steps.done(`stop the ${name}`, performance.now() - since, serving);
    return 0;
  }
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
  const more = serving === '' ? '' : ` ${serving[0].toUpperCase()}${serving.slice(1)}.`;
  const advice = `Its log is ${logFile}. Start it again with "${again}".`;
  steps.failed(name, null, new StepFailure(`The ${name} ${how}.${more}`, advice, words));
  return 1;
}
