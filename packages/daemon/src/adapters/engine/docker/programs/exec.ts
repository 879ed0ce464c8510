import type { ProbeResult } from '../../probe.ts';
import { isStatus } from '../client/errors.ts';
import { decodeFrames } from '../client/frames.ts';
import type { DockerContext } from '../context.ts';
import { failed, withDeadline } from './probe.ts';

/** Maximum length of the command output in the error text of a failed health check, in characters. */
const REASON_BYTES = 512;

/**
 * Runs HEALTHCHECK commands in containers. While a command hangs, no second command is started in its container,
 * because Docker cannot kill commands.
 */
export class DockerExec {
  readonly #context: DockerContext;
  readonly #running = new Map<string, Promise<ProbeResult>>();

  constructor(context: DockerContext) {
    this.#context = context;
  }

  /**
   * Runs the HEALTHCHECK command of an image. The health check succeeds if the command exits with 0 before the timeout.
   */
  async probe(id: string, command: string[], timeoutMs: number, signal?: AbortSignal): Promise<ProbeResult> {
    let run = this.#running.get(id);
    if (run === undefined) {
      run = this.#run(id, command).finally(() => this.#running.delete(id));
      this.#running.set(id, run);
    }
    const limit = withDeadline(timeoutMs, signal);
    const ended = Promise.withResolvers<ProbeResult>();
    const onAbort = () => ended.resolve(failed(limit.reason as Error, timeoutMs, signal));
    limit.addEventListener('abort', onAbort, { once: true });
    try {
      return limit.aborted
        ? failed(limit.reason as Error, timeoutMs, signal)
        : await Promise.race([run, ended.promise]);
    } finally {
      limit.removeEventListener('abort', onAbort);
    }
  }

  async #run(id: string, command: string[]): Promise<ProbeResult> {
    const { client } = this.#context;
    const doing = 'run healthcheck';
    try {
      const body = { AttachStdout: true, AttachStderr: true, Cmd: command };
      const path = `/containers/${id}/exec`;
      const { Id } = await client.call<{ Id: string }>({ doing, method: 'POST', path, body });
      const start = { doing, method: 'POST', path: `/exec/${Id}/start`, body: { Detach: false, Tty: false } } as const;
      const stream = await client.stream(start);
      let output = '';
      for await (const frame of decodeFrames(stream)) {
        if (output.length < REASON_BYTES) output += frame.payload.toString();
      }
      const { ExitCode } = await client.call<{ ExitCode: number }>({ doing, path: `/exec/${Id}/json` });
      if (ExitCode === 0) return { ok: true };
      const words = output.slice(0, REASON_BYTES).trim();
      return { ok: false, reason: `the healthcheck exited with code ${ExitCode}${words === '' ? '' : `: ${words}`}` };
    } catch (error) {
      if (isStatus(error, 404, 409)) return { ok: false, reason: 'the container is not running' };
      return { ok: false, reason: (error as Error).message };
    }
  }
}
