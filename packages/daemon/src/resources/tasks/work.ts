import { logOf, sealedOfTask, setTaskLog, setTaskProgress, setTaskState, taskById } from '../../db/tables/task.ts';
import type { TasksDeps } from './deps.ts';
import type { TaskLimits, TaskState, TaskWork } from './kind.ts';

/** Maximum number of log lines per task. Above this number, the oldest lines are deleted. */
const LOG_LINES = 200;
const LOG_LINE_LENGTH = 500;

/**
 * Additional authenticated data for the encryption of a task's input and state. With this data, an input or state that
 * was copied to another task cannot be decrypted.
 */
export const inputLocation = (id: number) => `tasks/${id}/input`;
const stateLocation = (id: number) => `tasks/${id}/state`;

/**
 * Returns the data for the steps of a task, with the decrypted input and saved state.
 * @throws SealBroken if the input cannot be decrypted
 */
export function workOf<C extends TasksDeps>(core: C, taskId: number, limits: TaskLimits): TaskWork<unknown, C> {
  const { input } = sealedOfTask(core.store, taskId) ?? { input: null };
  // Do not validate the decrypted input of the task, because only Davit writes the input.
  const decryptedInput: unknown = input === null ? null : JSON.parse(core.sealer.open(input, inputLocation(taskId)));
  return {
    core,
    taskId,
    limits,
    input: decryptedInput,
    state: stateOf(core, taskId),
    progress: progressWriter(core, taskId, limits.progressEveryMs),
    log: (line) => addLine(core, taskId, line),
  };
}

function stateOf({ store, sealer }: TasksDeps, taskId: number): TaskState {
  const read = (): object => {
    const sealed = sealedOfTask(store, taskId)?.state ?? null;
    return sealed === null ? {} : (JSON.parse(sealer.open(sealed, stateLocation(taskId))) as object);
  };
  return {
    get: <S extends object>() => read() as Partial<S>,
    set(change) {
      const sealed = sealer.seal(JSON.stringify({ ...read(), ...change }), stateLocation(taskId));
      store.tx((tx) => setTaskState(tx, taskId, sealed));
    },
  };
}

/**
 * Returns a function that saves the progress of a step. It saves at most once in `everyMs`, because each save needs a
 * commit. The last progress of a step is always saved.
 */
function progressWriter({ store }: TasksDeps, taskId: number, everyMs: number): TaskWork<unknown>['progress'] {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return (done, total, unit = 'bytes') => {
    const isEnd = total !== null && done >= total;
    if (!isEnd && performance.now() - writtenAt < everyMs) return;
    writtenAt = performance.now();
    store.tx((tx) => setTaskProgress(tx, taskId, { done, total, unit }));
  };
}

export function addLine({ store }: TasksDeps, taskId: number, line: string): void {
  store.tx((tx) => {
    const row = taskById(tx, taskId);
    if (row === undefined) return;
    setTaskLog(tx, taskId, [...logOf(row), line.slice(0, LOG_LINE_LENGTH)].slice(-LOG_LINES));
  });
}
