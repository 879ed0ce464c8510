/**
 * What a person watches while something is done: lines that stay, and below them, on a terminal, lines that are redrawn
 * in place. Elsewhere only what stays is written, a line each. It goes to stderr, where notes go; with `--json` and
 * `--quiet` nothing is shown at all.
 */
import type { createLogUpdate } from 'log-update';
import type { Context } from '../declaration/context.ts';
import { hasColour, type Paint, painter } from '../output/paint.ts';
import type { Output } from '../process/world.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;

type Watched = Pick<Context, 'world' | 'globals' | 'env'>;

export class LiveView implements Disposable {
  readonly paint: Paint;
  /** Lines are redrawn: what stays need not be written before its end. */
  readonly isLive: boolean;
  readonly #output: Output;
  readonly #isSilent: boolean;
  readonly #update: ReturnType<typeof createLogUpdate> | null;
  #draw: ((spinner: string) => readonly string[]) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  private constructor({ world, globals, env }: Watched, update: ReturnType<typeof createLogUpdate> | null) {
    this.#output = world.stderr;
    this.#isSilent = globals.json || globals.quiet;
    this.#update = update;
    this.isLive = update !== null;
    this.paint = painter(hasColour(world.stderr, env, globals.noColor));
  }

  static async open(watched: Watched): Promise<LiveView> {
    const { world, globals, env } = watched;
    // A terminal that does not say how wide it is, as behind some remote shells, would show nothing of what is redrawn.
    const isWide = world.stderr.isTTY === true && Boolean(world.stderr.columns);
    const isLive = isWide && !env.dumbTerminal && !globals.json && !globals.quiet;
    if (!isLive) return new LiveView(watched, null);
    const { createLogUpdate } = await import('log-update');
    // A terminal's stream has all that the library asks of one.
    return new LiveView(watched, createLogUpdate(world.stderr as NodeJS.WriteStream));
  }

  /** Writes a line that stays. It must be safe: colours are put around it before. */
  line(text: string): void {
    if (this.#isSilent) return;
    this.#update?.clear();
    this.#output.write(`${text}\n`);
    this.#redraw();
  }

  /** From now on these lines are the ones below, with a spinner that turns, until others are. */
  show(draw: (spinner: string) => readonly string[]): void {
    if (this.#update === null) return;
    this.#draw = draw;
    this.#timer ??= setInterval(() => this.#turn(), FRAME_MS).unref();
    this.#redraw();
  }

  /** Takes away what is redrawn; what stays instead is written with {@link line}. */
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

  #turn(): void {
    this.#frame = (this.#frame + 1) % FRAMES.length;
    this.#redraw();
  }

  #redraw(): void {
    const lines = this.#draw?.(FRAMES[this.#frame] ?? '') ?? [];
    if (lines.length > 0) this.#update?.(lines.join('\n'));
    else this.#update?.clear();
  }
}
