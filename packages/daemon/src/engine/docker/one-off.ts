import type { LogLine, OneOff, OneOffResult } from '../engine.ts';
import { EngineUnavailable } from '../engine.ts';
import { assertOwnName } from '../names.ts';
import type { DockerContext } from './context.ts';
import { oneOffRequest } from './create-request.ts';
import { decodeFrames } from './frames.ts';
import type { DockerInstances } from './instances.ts';
import type { DockerNetworks } from './networks.ts';

const OUTPUT_BYTES = 64 * 1024;

/**
 * Runs a command to its end. The container outlives a daemon that dies meanwhile, and the next call under its name finds
 * it: running it is waited for, ended its result is read.
 */
export async function runOneOff(
  context: DockerContext,
  instances: DockerInstances,
  networks: DockerNetworks,
  oneOff: OneOff,
  signal: AbortSignal,
  _onLine?: (line: LogLine) => void,
): Promise<OneOffResult> {
  for (const { name } of [oneOff, ...oneOff.volumes]) assertOwnName(context.davitId, name);
  const { subnet } = await networks.get(oneOff.network);
  const request = oneOffRequest(oneOff, await instances.placement(subnet));
  const id = await instances.create(oneOff.name, request, oneOff.deployment, signal);
  try {
    const result = await finish(context, instances, id, signal);
    await instances.remove(id);
    return result;
  } catch (error) {
    // With the engine away the container is left for the next call under its name.
    if (!(error instanceof EngineUnavailable)) await instances.remove(id);
    throw error;
  }
}

async function finish(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  signal: AbortSignal,
): Promise<OneOffResult> {
  // Only one that never ran is started: what has ended must not be run twice.
  if ((await instances.inspect(id, signal))?.State.Status === 'created') await instances.start(id, signal);
  const { exitCode } = await instances.waitExit(id, signal);
  return { exitCode, output: await readOutput(context, id, signal) };
}

/** The last 64 KiB, in the order in which they were written. */
async function readOutput(context: DockerContext, id: string, signal: AbortSignal): Promise<string> {
  const query = { stdout: true, stderr: true };
  const stream = await context.client.stream({ doing: 'read logs', path: `/containers/${id}/logs`, query, signal });
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const { payload } of decodeFrames(stream)) {
    chunks.push(payload);
    bytes += payload.length;
    // Trimmed now and then, so that a command that writes much does not fill our memory.
    if (bytes > 4 * OUTPUT_BYTES) {
      chunks = [Buffer.concat(chunks).subarray(-OUTPUT_BYTES)];
      bytes = OUTPUT_BYTES;
    }
  }
  return Buffer.concat(chunks).subarray(-OUTPUT_BYTES).toString('utf8');
}
