import { randomBytes } from 'node:crypto';
import { type ContainerTarget, run } from './program.ts';

export interface TemporaryFile extends AsyncDisposable {
  path: string;
  remove: () => Promise<void>;
}

/** Creates a temporary file in a container. Only one user of the container can read the file. */
export async function temporaryFile(
  of: ContainerTarget,
  user: string,
  content: Uint8Array | string,
): Promise<TemporaryFile> {
  const folder = `/tmp/davit-${randomBytes(8).toString('hex')}`;
  const remove = async () => {
    // If the task was canceled, its signal is aborted. Use a new signal, so that the temporary file is still removed.
    const signal = of.signal.aborted ? AbortSignal.timeout(10_000) : of.signal;
    await run({ ...of, signal }, { command: ['rm', '-rf', folder], user });
  };
  await run(of, { command: ['mkdir', '-m', '700', folder], user });
  const path = `${folder}/file`;
  await run(of, { command: ['dd', `of=${path}`, 'bs=65536'], user }, one(content));
  return { path, remove, [Symbol.asyncDispose]: remove };
}

async function* one(content: Uint8Array | string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}
