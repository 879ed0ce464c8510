import { RemoteProblem } from './problem.ts';

/**
 * Forwards a layer download, and stops if the layer is larger than its manifest says. Docker would detect this only at
 * the end of the download.
 * @throws RemoteProblem if the layer is larger
 */
export async function* atMost(bytes: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) throw new RemoteProblem('registry_answer_invalid', 'a layer is larger than the size in its manifest');
    yield chunk;
  }
}
