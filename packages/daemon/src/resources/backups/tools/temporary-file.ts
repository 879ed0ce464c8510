import { randomBytes } from 'node:crypto';
import { type ContainerTarget, onePiece, run } from './program.ts';

export interface TemporaryFile extends AsyncDisposable {
  path: string;
  remove: () => Promise<void>;
}

/** Creates a temporary file in a container. Only the given user of the container can read the file. */
export async function temporaryFile(
  of: ContainerTarget,
  user: string,
  content: Uint8Array | string,
): Promise<TemporaryFile> {
  const folder = `/tmp/davit-${randomBytes(8).toString('hex')}`;
  const remove = async () => {
    /*
     * Use a new signal to remove the temporary file. If the task was canceled, its own signal is aborted, and the
     * removal would fail.
     */
    const signal = of.signal.aborted ? AbortSignal.timeout(10_000) : of.signal;
    await run({ ...of, signal }, { command: ['rm', '-rf', folder], user });
  };
  await run(of, { command: ['mkdir', '-m', '700', folder], user });
  const path = `${folder}/file`;
  await run(of, { command: ['dd', `of=${path}`, 'bs=65536'], user }, onePiece(content));
  return { path, remove, [Symbol.asyncDispose]: remove };
}
