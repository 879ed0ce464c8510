import { RemoteProblem } from './problem.ts';

/**
 * Passes on a layer download, but stops it when it exceeds the size in the image manifest. Docker does not limit the
 * size, because it verifies a layer only after the complete download.
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
