/** Runs a program in a container without a terminal, so that scripts can use pipes and receive every byte unchanged. */
import type { Engine } from '../../adapters/engine/engine.ts';
import type { Execution, Program } from '../../adapters/engine/execution.ts';
import { copyOf } from '../../adapters/engine/free-buffers.ts';
import { BoundedQueue } from '../../streams/bounded-queue.ts';
import type { ShellOutput, ShellProgram } from './program.ts';

/** Maximum number of bytes of output that are buffered for a slow client. */
const OUTPUT_BYTES = 256 * 1024;

/**
 * Starts a program in a running container without a terminal. The program ends if the signal aborts or the returned
 * object is disposed.
 * @throws EngineRefused if the container is stopped or lacks the program
 */
export async function openPipe(
  engine: Pick<Engine, 'execute'>,
  id: string,
  program: Program,
  signal: AbortSignal,
): Promise<ShellProgram> {
  const closing = new AbortController();
  /*
   * The queue has space for only one chunk. So the client can send a chunk only after Docker has received the previous
   * chunk.
   */
  const input = new BoundedQueue<Buffer>({ limit: 1 });
  const output = new BoundedQueue<ShellOutput>({ limit: OUTPUT_BYTES, weightOf: sizeOf });
  const decoder = new TextDecoder();
  const execution = await engine.execute(id, program, {
    stdin: input,
    signal: AbortSignal.any([signal, closing.signal]),
    // A multibyte character can be split between two chunks, so the decoder keeps its state between chunks.
    onStderr: (bytes) => output.push({ stderr: decoder.decode(bytes, { stream: true }) }),
  });
  const ended = pass(execution, output).finally(() => input.close());
  return {
    output,
    exited: execution.exited.then(
      ({ exitCode }) => exitCode,
      () => null,
    ),
    // Copy the bytes, because `execute` frees the memory of its input.
    write: async (bytes) => input.push(copyOf(bytes)),
    endInput: () => input.end(),
    // Ignore the size of the client's terminal, because this program has no terminal.
    resize: async () => undefined,
    async [Symbol.asyncDispose]() {
      output.close();
      closing.abort(new Error('The shell was closed.'));
      await ended;
    },
  };
}

/** Copies the output of the program to the queue. The copying is only as fast as the client reads. */
async function pass({ stdout }: Execution, output: BoundedQueue<ShellOutput>): Promise<void> {
  try {
    // This loop ends or throws after the program has exited, but not earlier.
    for await (const chunk of stdout) await output.push(chunk);
    output.end();
  } catch (error) {
    output.fail(error as Error);
  }
}

function sizeOf(piece: ShellOutput): number {
  if (Buffer.isBuffer(piece)) return piece.length;
  return 'stderr' in piece ? piece.stderr.length : 0;
}
