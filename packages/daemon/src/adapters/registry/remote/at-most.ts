import { RemoteProblem } from './problem.ts';

/**
 * Forwards a layer download up to the size in its manifest, because Docker would notice a larger layer only at the end.
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
