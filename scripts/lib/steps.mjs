/**
 * The list of steps that setup, start, tests and benchmarks print. On a terminal, a running step shows its duration and
 * is then replaced by its result. In other output, such as a file or CI, only results are written, one line each.
 */

/** A failure with advice for the user. Both are printed below the failed step. */
export class StepFailure extends Error {
  /**
   * @param {string} message what happened
   * @param {string} [advice] what to do next
   * @param {string} [output] last lines of the program that failed
   */
  constructor(message, advice = '', output = '') {
    super(message);
    this.name = 'StepFailure';
    this.advice = advice;
    this.output = output;
  }
}

/** Formats milliseconds for users: `640 ms`, `4.2 s`, `2 min 5 s`. */
export function formatDuration(ms) {
  if (ms < 995) return `${Math.round(ms)} ms`;
  if (ms < 99_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const NAME_WIDTH = 46;

function paint(stream) {
  const on = stream.isTTY === true && !process.env.NO_COLOR;
  const code = (number) => (text) => (on ? `\x1b[${number}m${text}\x1b[0m` : text);
  return { green: code(32), red: code(31), yellow: code(33), dim: code(2), bold: code(1) };
}

function indent(text, by) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${by}${line}`)
    .join('\n');
}

/**
 * Creates a printer of steps.
 * @param {{ write(text: string): unknown, isTTY?: boolean }} [stream]
 * @returns a printer; `run` measures a step and prints its result, the other methods print a step that the caller
 * measured, or did not measure if its duration is null
 */
export function createSteps(stream = process.stdout) {
  const color = paint(stream);
  const clock = createClock(stream, color);
  const line = (text = '') => {
    clock.clear();
    stream.write(`${text}\n`);
  };
  const result = (mark, name, ms, detail) => {
    line(
      `  ${mark} ${name.padEnd(NAME_WIDTH)} ${(ms === null ? '' : formatDuration(ms)).padStart(9)}${detail ? `  ${color.dim(detail)}` : ''}`,
    );
  };
  const done = (name, ms, detail = '') => result(color.green('✓'), name, ms, detail);
  const failed = (name, ms, error) => {
    result(color.red('✗'), name, ms, '');
    line(indent(color.red(error.message), '      '));
    if (error.output) line(indent(color.dim(error.output), '      | '));
    if (error.advice) line(indent(error.advice, '      '));
  };

  return {
    color,
    line,
    done,
    failed,
    /** Shows a running step on a terminal until the returned function is called. */
    waiting: clock.start,
    /** Prints a remark below the list, for example about a changed port or a simulated engine. */
    note: (text) => line(`  ${color.yellow('!')} ${indent(text, '    ').trimStart()}`),
    /**
     * Runs one step. If its result is a string, the string is printed next to the step.
     * @template T
     * @param {string} name
     * @param {() => Promise<T>} work
     * @returns {Promise<T>}
     */
    async run(name, work) {
      const started = performance.now();
      const stop = clock.start(name);
      try {
        const outcome = await work();
        stop();
        done(name, performance.now() - started, typeof outcome === 'string' ? outcome : '');
        return outcome;
      } catch (error) {
        stop();
        failed(name, performance.now() - started, error);
        throw error;
      }
    },
  };
}

/** Shows the line of the running step and updates it each second. Shows nothing if the output is not a terminal. */
function createClock(stream, color) {
  const live = stream.isTTY === true;
  let current = null;
  const clear = () => {
    if (live && current !== null) stream.write('\r\x1b[2K');
  };
  const draw = ({ name, started }) => {
    const waited = performance.now() - started;
    const time = waited > 1000 ? color.dim(`  ${formatDuration(waited)}`) : '';
    stream.write(`\r\x1b[2K  ${color.dim('…')} ${name}${time}`);
  };
  return {
    clear,
    start(name) {
      if (!live) return () => undefined;
      const mine = { name, started: performance.now() };
      current = mine;
      draw(mine);
      const timer = setInterval(() => draw(mine), 1000);
      return () => {
        clearInterval(timer);
        if (current !== mine) return;
        clear();
        current = null;
      };
    },
  };
}
