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

/** Pause in milliseconds before a broken read continues. */
const RETRY_MS = 500;

/**
 * Runs a command until it ends. The container survives the death of the daemon. The next call with the same name finds
 * the container: it waits for a running container and reads the result of one that has exited.
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
    // The container stays if the engine does not answer or if the command must continue. The next call with the same
    // name finds the container.
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
  // Only a container that never ran is started, because a command must not run twice.
  if ((await instances.inspect(id, signal))?.State.Status === 'created') {
    if (files.length > 0) await putFiles(context, id, files, signal);
    await instances.start(id, signal);
  }
  const told = onLine === undefined ? null : await tellLines(context, instances, id, { signal, onLine, after: null });
  const { exitCode } = await waitExit({ context, instances }, id, signal);
  // The engine ends a followed log with the command, even if it has unsent lines. This second read fetches the
  // remaining lines.
  if (onLine !== undefined) await tellLines(context, instances, id, { signal, onLine, after: told, isOver: true });
  return { exitCode, output: await readOutput(context, id, signal) };
}

interface Telling {
  signal: AbortSignal;
  onLine: TakeLine;
  /** Position to continue from, or `null` for the beginning. */
  after: string | null;
  isOver?: boolean;
}

/**
 * Passes each line to `onLine` once, until the command has ended. Continues after a broken connection.
 * @returns position after the last line
 */
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

/** Returns the last 64 KiB of output in the written order, or nothing if the container was removed. */
async function readOutput(context: DockerContext, id: string, signal: AbortSignal): Promise<string> {
  // A message has at least one byte, so this number of messages contains the wanted bytes of any output.
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
    // Regular trimming limits the memory of the daemon for a command with much output.
    if (bytes > 4 * ONE_OFF_OUTPUT_BYTES) {
      chunks = [Buffer.concat(chunks).subarray(-ONE_OFF_OUTPUT_BYTES)];
      bytes = ONE_OFF_OUTPUT_BYTES;
    }
  }
  return Buffer.concat(chunks).subarray(-ONE_OFF_OUTPUT_BYTES).toString('utf8');
}
