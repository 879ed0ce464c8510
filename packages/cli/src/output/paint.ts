import picocolors from 'picocolors';
import type { Environment } from '../process/env.ts';
import type { Output } from '../process/runtime.ts';

/** Color or weight of a text in the terminal. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export type Paint = (text: string, style?: Style) => string;

/**
 * Returns whether the CLI uses colors in an output stream. `NO_COLOR`, `--no-color` and `TERM=dumb` turn colors off. A
 * terminal or `FORCE_COLOR` turns colors on.
 */
export function hasColour(output: Output, env: Environment, noColor: boolean): boolean {
  if (noColor || env.noColor || env.dumbTerminal) return false;
  return env.forceColor || output.isTTY === true;
}

/** Returns a function that adds terminal color codes to a text. The text must not contain control characters. */
export function painter(enabled: boolean): Paint {
  const colors = picocolors.createColors(enabled);
  return (text, style) => (style === undefined ? text : colors[style](text));
}
