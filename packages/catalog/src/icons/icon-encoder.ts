import { checkIcon, type Diagnostic, RELEASE_CAPS } from '@davit/template';
import { cleanPng } from './clean-png.ts';
import { EncoderDied, EncoderProcess } from './encoder-process.ts';
import type { EncodeAnswer } from './messages.ts';

/**
 * Number of icons after which a new child process replaces the old one. This is necessary because the image library
 * never frees its memory.
 */
const ICONS_A_PROCESS = 1_000;

/**
 * Idle time in milliseconds after which the child process that encodes icons is stopped. Even an idle process uses 80
 * MiB of memory.
 */
const IDLE_MS = 10_000;

export type EncodedIcon = { kind: 'encoded'; png: Uint8Array } | { kind: 'refused'; problem: Diagnostic };

/** Re-encodes the icons of templates, so that the catalog never serves an untrusted image file. */
export interface IconEncoder extends Disposable {
  /**
   * Re-encodes an icon.
   * @throws Error if this system cannot decode any icons. This error does not mean that the icon is invalid
   */
  encode(icon: Uint8Array): Promise<EncodedIcon>;
  /** Process id of the child process that encodes icons. `null` if this child process is not running. */
  readonly pid: number | null;
}

/**
 * Creates the icon encoder, which runs a child process that converts icons to PNG files.
 * @param entry script of the child process. Tests use another script to simulate failures
 */
export function createIconEncoder(entry?: string): IconEncoder {
  return new ProcessEncoder(entry);
}

class ProcessEncoder implements IconEncoder {
  readonly #entry: string | undefined;
  #process: EncoderProcess | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(entry: string | undefined) {
    this.#entry = entry;
  }

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  async encode(icon: Uint8Array): Promise<EncodedIcon> {
    const [problem] = checkIcon(icon);
    if (problem) return { kind: 'refused', problem };
    const clean = icon.length > RELEASE_CAPS['icon.png'] ? null : cleanPng(icon);
    if (clean === null)
      return {
        kind: 'refused',
        problem: notPng('a part of the PNG file is damaged, not allowed or in the wrong place'),
      };
    const answer = await this.#inTurn(() => this.#twice(() => this.#started().then((child) => child.encode(clean))));
    if (answer.kind === 'encoded') return answer;
    return { kind: 'refused', problem: notPng(answer.kind === 'refused' ? answer.reason : 'the file is not valid') };
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#process?.[Symbol.dispose]();
    this.#process = null;
  }

  /**
   * Runs `work`. If the child process that encodes icons crashes, runs `work` once more in a new child process. The
   * reason is that an earlier icon or the system may have caused the crash.
   */
  async #twice(work: () => Promise<EncodeAnswer>): Promise<EncodeAnswer> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EncoderDied) || this.#isDisposed) throw error;
    }
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EncoderDied) || this.#isDisposed) throw error;
      return { kind: 'refused', reason: `the decoder failed: ${error.message}` };
    }
  }

  async #started(): Promise<EncoderProcess> {
    if (this.#isDisposed) throw new Error('The indexer is stopping, so it decodes no more icons.');
    const old = this.#process;
    if (old?.usable && old.encoded < ICONS_A_PROCESS) return old;
    old?.[Symbol.dispose]();
    const fresh = new EncoderProcess(this.#entry);
    this.#process = fresh;
    try {
      await fresh.start();
    } catch (cause) {
      throw new Error('The decoder process for icons could not be started.', { cause });
    }
    return fresh;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    const turn = this.#last.then(work);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#last = settled;
    void settled.then(() => {
      if (this.#last === settled) this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    });
    return turn;
  }
}

function notPng(reason: string): Diagnostic {
  return {
    severity: 'error',
    code: 'icon.not-png',
    message: `icon.png cannot be decoded as a PNG: ${reason}.`,
    path: [],
    hint: 'Export the icon again as a PNG of 256 × 256 pixels.',
  };
}
