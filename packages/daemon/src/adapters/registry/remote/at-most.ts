import { RemoteProblem } from './problem.ts';

/**
 * Forwards the data of a layer download. If the layer is larger than its manifest says, the download stops. Docker
 * would detect the wrong size only at the end of the download.
 * @throws RemoteProblem if the layer is too large
 */
export async function* atMost(bytes: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) throw new RemoteProblem('registry_answer_invalid', 'a layer is larger than the size in its manifest');
    yield chunk;
  }
}
