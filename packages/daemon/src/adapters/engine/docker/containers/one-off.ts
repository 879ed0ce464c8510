import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { EngineUnavailable, LeftRunning } from '../../errors.ts';
import { assertFiles, assertOwnName } from '../../names.ts';
import type { OneOff, OneOffResult, TakeLine } from '../../one-off.ts';
import { ONE_OFF_OUTPUT_BYTES } from '../../one-off.ts';
import { isStatus } from '../client/errors.ts';
import { decodeFrames } from '../client/frames.ts';
import type { DockerContext } from '../context.ts';
import { readLogBatches } from '../logs/batches.ts';
import { linesOf } from '../logs/last-lines.ts';
import type { DockerNetworks } from '../networks/networks.ts';
import { oneOffRequest } from './create-request.ts';
import { removeInstance, waitExit } from './ending.ts';
import { putFiles } from './files.ts';
import type { DockerInstances } from './instances.ts';

/** How long a broken read stays quiet before it goes on. */
const RETRY_MS = 500;

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
  onLine?: TakeLine,
): Promise<OneOffResult> {
  for (const { name } of [oneOff, ...oneOff.volumes]) assertOwnName(context.davitId, name);
  assertFiles(oneOff.files ?? []);
  const { subnet } = await networks.get(oneOff.network);
  const request = oneOffRequest(oneOff, await instances.placement(subnet));
  const id = await instances.create(oneOff.name, request, signal);
  try {
    const result = await finish(context, instances, id, oneOff, signal, onLine);
    await removeInstance({ context, instances }, id);
    return result;
  } catch (error) {
    // With the engine away, or when it is to go on, the container is left for the next call under its name.
    const isLeft = error instanceof EngineUnavailable || error instanceof LeftRunning;
    if (!isLeft) await removeInstance({ context, instances }, id);
    throw error;
  }
}

async function finish(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  { files = [] }: OneOff,
  signal: AbortSignal,
  onLine: TakeLine | undefined,
): Promise<OneOffResult> {
  // Only one that never ran is started: what has ended must not be run twice.
  if ((await instances.inspect(id, signal))?.State.Status === 'created') {
    if (files.length > 0) await putFiles(context, id, files, signal);
    await instances.start(id, signal);
  }
  const told = onLine === undefined ? null : await tellLines(context, instances, id, { signal, onLine, after: null });
  const { exitCode } = await waitExit({ context, instances }, id, signal);
  // The engine's follow ends with the command, also when it still had lines to give.
  if (onLine !== undefined) await tellLines(context, instances, id, { signal, onLine, after: told, isOver: true });
  return { exitCode, output: await readOutput(context, id, signal) };
}

interface Telling {
  signal: AbortSignal;
  onLine: TakeLine;
  /** Where to go on; null: from the beginning. */
  after: string | null;
  isOver?: boolean;
}

/** Tells of each line once, until the command has ended; over a connection that breaks. @returns where it ended */
async function tellLines(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  { signal, onLine, after, isOver = false }: Telling,
): Promise<string | null> {
  let position = after;
  for (;;) {
    try {
      const query = { after: position, follow: !isOver, signal };
      for await (const batch of readLogBatches(context, instances, id, query)) {
        for (const line of linesOf(batch)) await onLine(line);
        position = batch.position;
      }
      signal.throwIfAborted();
      return position;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EngineUnavailable)) throw error;
      await delay(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** The last 64 KiB, in the order in which they were written; nothing when somebody removed the container. */
async function readOutput(context: DockerContext, id: string, signal: AbortSignal): Promise<string> {
  // A message has a byte at the least, so that these hold all that is wanted, whatever was written before.
  const query = { stdout: true, stderr: true, tail: ONE_OFF_OUTPUT_BYTES };
  const call = { doing: 'read logs', path: `/containers/${id}/logs`, query, signal };
  const stream = await context.client.stream(call).catch((error: unknown) => {
    if (isStatus(error, 404, 409)) return Readable.from([]);
    throw error;
  });
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const { payload } of decodeFrames(stream)) {
    chunks.push(payload);
    bytes += payload.length;
    // Trimmed now and then, so that a command that writes much does not fill our memory.
    if (bytes > 4 * ONE_OFF_OUTPUT_BYTES) {
      chunks = [Buffer.concat(chunks).subarray(-ONE_OFF_OUTPUT_BYTES)];
      bytes = ONE_OFF_OUTPUT_BYTES;
    }
  }
  return Buffer.concat(chunks).subarray(-ONE_OFF_OUTPUT_BYTES).toString('utf8');
}
