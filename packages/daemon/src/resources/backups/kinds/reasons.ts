import { sentence } from '../../../app-spec/sentence.ts';
import { TaskFailed, type TaskStep } from '../../tasks/kind.ts';
import type { BackupsDeps } from '../deps.ts';
import { DestinationMissing, DestinationRefused, DestinationUnavailable } from '../destination.ts';
import { EnvelopeBroken } from '../envelope/header.ts';
import { ToolFailed } from '../tools/program.ts';

/** Converts errors of dump tools, backups and backup destinations to task failures with a message for users. */
export function withTaskFailures<I>(steps: readonly TaskStep<I, BackupsDeps>[]): TaskStep<I, BackupsDeps>[] {
  return steps.map((step) => ({
    ...step,
    async run(work, signal) {
      try {
        await step.run(work, signal);
      } catch (error) {
        throw asTaskFailure(error);
      }
    },
  }));
}

export function asTaskFailure(error: unknown): unknown {
  const options = { cause: error };
  if (error instanceof EnvelopeBroken)
    return new TaskFailed(`The backup cannot be read: ${error.message}.`, [], options);
  if (error instanceof ToolFailed)
    return new TaskFailed(`The backup tool of the database engine failed: ${sentence(error.message)}`, [], options);
  const isDestinationError =
    error instanceof DestinationMissing ||
    error instanceof DestinationRefused ||
    error instanceof DestinationUnavailable;
  return isDestinationError
    ? new TaskFailed(`The backup destination failed: ${sentence(error.message)}`, [], options)
    : error;
}
