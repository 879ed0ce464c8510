import { setTimeout as sleep } from 'node:timers/promises';
import { count, DavitError } from '@davit/api';
import { type Logger, unlessAborted } from '@davit/service';
import { EngineRefused, EngineUnavailable, LeftRunning } from '../../adapters/engine/errors.ts';
import type { LogLine } from '../../adapters/engine/logs.ts';
import { runName } from '../../adapters/engine/names.ts';
import type { TakeLine } from '../../adapters/engine/one-off.ts';
import { workProblemCode } from '../../adapters/engine/work-problem.ts';
import { sentence } from '../../app-spec/sentence.ts';
import type { RunEnd, RunRow } from '../../db/tables/run.ts';
import { oneOffOf } from './container.ts';
import type { RunsDeps } from './deps.ts';
import { OutputTail } from './output.ts';

/** Delay in milliseconds between two attempts while Docker is unavailable. */
const AGAIN_MS = 1_000;

export interface ExecutionOptions {
  watcher: TakeLine | undefined;
  /** Whether the command may have been started before the last restart of the daemon. */
  isTakenUp: boolean;
  /**
   * Signal that ends the wait for the command. If the abort reason is {@link Ended}, the command is killed. If it is
   * `LeftRunning`, the command continues.
   */
  signal: AbortSignal;
}

/** Result of a command, with the last part of its output. The output is not encrypted yet. */
export type RunOutcome = Pick<RunEnd, 'status' | 'exitCode' | 'error' | 'errorCode'> & { output: string };

/** Error for a command that was canceled or timed out. Users see the message as the error of the run. */
export class Ended extends Error {
  override name = 'Ended';
  readonly status: 'cancelled' | 'timed_out';

  constructor(status: 'cancelled' | 'timed_out', message: string) {
    super(message);
    this.status = status;
  }
}

class ContainerGone extends Error {
  constructor() {
    super(
      'The container of the run does not exist anymore, so Davit does not know the result. Check what the command did before you run it again.',
    );
  }
}

/**
 * Runs a command until it ends or reaches its time limit.
 * @returns result of the command, or `null` if the daemon stops and the command continues
 */
export async function executeRun(
  core: RunsDeps,
  log: Logger,
  run: RunRow,
  how: ExecutionOptions,
): Promise<RunOutcome | null> {
  const deadline = new AbortController();
  const endsAt = (run.started_at ?? run.created_at) + run.timeout_s * 1_000;
  const message = `The command did not end within ${count(run.timeout_s, 'second')}, so Davit stopped it. Set a longer timeout if necessary.`;
  const onTime = () => deadline.abort(new Ended('timed_out', message));
  const timer = setTimeout(onTime, Math.max(endsAt - core.now(), 0));
  const tail = new OutputTail();
  try {
    return await toItsEnd(core, run, { ...how, signal: AbortSignal.any([how.signal, deadline.signal]) }, tail);
  } catch (error) {
    return error instanceof LeftRunning ? null : failure(error, run, tail, log);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs a command until it ends. If Docker becomes unavailable, waits until Docker responds, and then continues with the
 * same container.
 */
async function toItsEnd(core: RunsDeps, run: RunRow, how: ExecutionOptions, tail: OutputTail): Promise<RunOutcome> {
  const { watcher, isTakenUp, signal } = how;
  const abortableWatcher = watcher && ((line: LogLine) => unlessAborted(watcher(line), signal));
  for (let isBegun = isTakenUp; ; ) {
    try {
      if (isBegun) await demandContainer(core, run, signal);
      const oneOff = await oneOffOf(core, run);
      // Never start the command again after this point. Even a failed request to Docker may have started the command.
      isBegun = true;
      const { exitCode, output } = await core.engine.runOnce(oneOff, signal, tail.from(abortableWatcher));
      return { status: exitCode === 0 ? 'succeeded' : 'failed', exitCode, output, error: null, errorCode: null };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EngineUnavailable)) throw error;
    }
    await sleep(AGAIN_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** @throws ContainerGone if the container of the run does not exist */
async function demandContainer({ engine, facts }: RunsDeps, { id }: RunRow, signal: AbortSignal): Promise<void> {
  const name = runName(facts.id, id);
  if (!(await engine.observe(signal)).some((seen) => seen.name === name)) throw new ContainerGone();
}

function failure(error: unknown, { id }: RunRow, tail: OutputTail, log: Logger): RunOutcome {
  const output = tail.text();
  if (error instanceof Ended)
    return { status: error.status, exitCode: null, output, error: error.message, errorCode: null };
  if (error instanceof ContainerGone || error instanceof EngineRefused || error instanceof DavitError) {
    const errorCode = workProblemCode(error);
    return { status: 'failed', exitCode: null, output, error: sentence(error.message), errorCode };
  }
  log.error({ run: id, error }, 'a command could not be run');
  const message = `An internal error occurred in Davit. Find the details of run ${id} in the log of the instance.`;
  return { status: 'failed', exitCode: null, output, error: message, errorCode: null };
}
