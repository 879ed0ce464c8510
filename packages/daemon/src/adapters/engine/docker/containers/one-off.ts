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

/** Pause in milliseconds before a broken log stream is opened again. */
const RETRY_MS = 500;

/**
 * Runs a command in a new container. If the daemon crashes, a later call with the same container name waits for the
 * command or reads its result.
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
    /*
     * If Docker is unavailable or the daemon stops, the command keeps running. A later call finds the container by its
     * name.
     */
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
  // Only a container in the state `created` is started, because a one-off command must not run twice.
  if ((await instances.inspect(id, signal))?.State.Status === 'created') {
    if (files.length > 0) await putFiles(context, id, files, signal);
    await instances.start(id, signal);
  }
  const position =
    onLine === undefined ? null : await forwardLines(context, instances, id, { signal, onLine, after: null });
  const { exitCode } = await waitExit({ context, instances }, id, signal);
  /*
   * Docker may close the log stream before it has sent all log lines of the command. Davit therefore reads the
   * remaining lines.
   */
  if (onLine !== undefined)
    await forwardLines(context, instances, id, { signal, onLine, after: position, isOver: true });
  return { exitCode, output: await readOutput(context, id, signal) };
}

interface ForwardOptions {
  signal: AbortSignal;
  onLine: TakeLine;
  /** Log position from which the log is read, or `null` for the beginning of the log. */
  after: string | null;
  isOver?: boolean;
}

/**
 * Passes each log line of a command to `onLine` once, until the command ends. If the connection breaks, it is opened
 * again.
 * @returns log position after the last line
 */
async function forwardLines(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  { signal, onLine, after, isOver = false }: ForwardOptions,
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

/**
 * Returns the last 64 KiB of a command's output, with stdout and stderr in order. If the container was removed, returns
 * an empty text.
 */
async function readOutput(context: DockerContext, id: string, signal: AbortSignal): Promise<string> {
  // Requests the last 65,536 log messages. Each message has at least one byte, so the messages contain at least 64 KiB.
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
    // Drops old output regularly, so that a long output does not fill the daemon's memory.
    if (bytes > 4 * ONE_OFF_OUTPUT_BYTES) {
      chunks = [Buffer.concat(chunks).subarray(-ONE_OFF_OUTPUT_BYTES)];
      bytes = ONE_OFF_OUTPUT_BYTES;
    }
  }
  return Buffer.concat(chunks).subarray(-ONE_OFF_OUTPUT_BYTES).toString('utf8');
}
