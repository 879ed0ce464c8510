import { checkIcon, type Diagnostic, RELEASE_CAPS } from '@davit/template';
import { cleanPng } from './clean-png.ts';
import { EncoderDied, EncoderProcess } from './encoder-process.ts';
import type { EncodeAnswer } from './messages.ts';

/** A decoder keeps what it once took: a new process now and then gives it back. */
const ICONS_A_PROCESS = 1_000;

/** Between passes there is nothing to decode for minutes: the process and its 80 MiB go. */
const IDLE_MS = 10_000;

export type EncodedIcon = { kind: 'encoded'; png: Uint8Array } | { kind: 'refused'; problem: Diagnostic };

/** Makes icons anew, so that no byte of a stranger's file is served. */
export interface IconEncoder extends Disposable {
  /**
   * @throws Error when icons cannot be decoded here at all: then nothing is known about this one
   */
  encode(icon: Uint8Array): Promise<EncodedIcon>;
  /** The process that decodes, if there is one. */
  readonly pid: number | null;
}

/** @param entry the program that decodes, for tests of what happens when it fails */
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
      return { kind: 'refused', problem: notPng('a part of it is damaged, too much, or out of its place') };
    const answer = await this.#inTurn(() => this.#twice(() => this.#started().then((child) => child.encode(clean))));
    if (answer.kind === 'encoded') return answer;
    return { kind: 'refused', problem: notPng(answer.kind === 'refused' ? answer.reason : 'it cannot be decoded') };
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

  /** The process that was left may have died of what came before, or of the machine: the icon is tried in a new one. */
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
      return { kind: 'refused', reason: `decoding it does not end well: ${error.message}` };
    }
  }

  async #started(): Promise<EncoderProcess> {
    if (this.#isDisposed) throw new Error('decode an icon: the indexer is stopping');
    const old = this.#process;
    if (old?.usable && old.encoded < ICONS_A_PROCESS) return old;
    old?.[Symbol.dispose]();
    const fresh = new EncoderProcess(this.#entry);
    this.#process = fresh;
    try {
      await fresh.start();
    } catch (cause) {
      throw new Error('decode an icon: the process for it does not start', { cause });
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
    hint: 'Export the icon anew, as a PNG of 256 × 256 pixels.',
  };
}
