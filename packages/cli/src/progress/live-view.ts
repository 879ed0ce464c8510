/**
 * Prints the progress of a command to stderr, except if `--json` or `--quiet` is set. Lines are redrawn only in a
 * terminal.
 */
import type { createLogUpdate } from 'log-update';
import type { Context } from '../declaration/context.ts';
import { hasColour, type Paint, painter } from '../output/paint.ts';
import { safePainted } from '../output/safe-text.ts';
import type { Output } from '../process/runtime.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;

type Watched = Pick<Context, 'world' | 'globals' | 'env'>;

export class LiveView implements Disposable {
  readonly paint: Paint;
  /**
   * Whether the terminal can redraw lines, for example to show a spinner. If `false`, the CLI prints only lines that
   * never change.
   */
  readonly isLive: boolean;
  readonly #output: Output;
  readonly #isSilent: boolean;
  readonly #hasColour: boolean;
  readonly #update: ReturnType<typeof createLogUpdate> | null;
  #draw: ((spinner: string) => readonly string[]) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  private constructor({ world: runtime, globals, env }: Watched, update: ReturnType<typeof createLogUpdate> | null) {
    this.#output = runtime.stderr;
    this.#isSilent = globals.json || globals.quiet;
    this.#update = update;
    this.isLive = update !== null;
    this.#hasColour = hasColour(runtime.stderr, env, globals.noColor);
    this.paint = painter(this.#hasColour);
  }

  static async open(watched: Watched): Promise<LiveView> {
    const { world: runtime, globals, env } = watched;
    /*
     * Redrawing lines requires the terminal width. Some remote shells do not report the width. In this case, lines are
     * not redrawn.
     */
    const isWide = runtime.stderr.isTTY === true && Boolean(runtime.stderr.columns);
    const isLive = isWide && !env.dumbTerminal && !globals.json && !globals.quiet;
    if (!isLive) return new LiveView(watched, null);
    const { createLogUpdate } = await import('log-update');
    // The type cast is safe, because a terminal stream has all functions that the library `log-update` calls.
    return new LiveView(watched, createLogUpdate(runtime.stderr as NodeJS.WriteStream));
  }

  /**
   * Prints a line that stays in the terminal. Removes all escape sequences from the text, except the sequences that
   * `paint` adds.
   */
  line(text: string): void {
    if (this.#isSilent) return;
    this.#update?.clear();
    this.#output.write(`${this.#safe(text)}\n`);
    this.#redraw();
  }

  /**
   * Shows lines with a spinner at the end of the output. The next call replaces these lines. Earlier output is not
   * changed.
   */
  show(draw: (spinner: string) => readonly string[]): void {
    if (this.#update === null) return;
    this.#draw = draw;
    this.#timer ??= setInterval(() => this.#turn(), FRAME_MS).unref();
    this.#redraw();
  }

  /** Removes the lines with the spinner. Earlier output is not changed. */
  clear(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#draw = null;
    this.#update?.clear();
  }

  [Symbol.dispose](): void {
    this.clear();
    this.#update?.done();
  }

  #safe(line: string): string {
    return safePainted(line, this.#hasColour);
  }

  #turn(): void {
    this.#frame = (this.#frame + 1) % FRAMES.length;
    this.#redraw();
  }

  #redraw(): void {
    const lines = this.#draw?.(FRAMES[this.#frame] ?? '') ?? [];
    if (lines.length > 0) this.#update?.(lines.map((line) => this.#safe(line)).join('\n'));
    else this.#update?.clear();
  }
}
