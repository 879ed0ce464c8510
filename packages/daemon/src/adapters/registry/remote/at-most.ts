import { RemoteProblem } from './problem.ts';

/**
 * Passes on a layer download and stops the download if it exceeds the size in the image manifest. The limit is
 * necessary because Docker verifies a layer only after the complete download.
 * @throws RemoteProblem if the layer is larger
 */
export async function* atMost(bytes: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) throw new RemoteProblem('registry_answer_invalid', 'a layer is larger than its manifest says');
    yield chunk;
  }
}
