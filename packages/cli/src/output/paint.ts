import picocolors from 'picocolors';
import type { Environment } from '../process/env.ts';
import type { Output } from '../process/world.ts';

/** Style of a text. The text never depends on the style. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export type Paint = (text: string, style?: Style) => string;

/** Returns whether an output gets colors: on a terminal that supports them, unless they are disabled. */
export function hasColour(output: Output, env: Environment, noColor: boolean): boolean {
  if (noColor || env.noColor || env.dumbTerminal) return false;
  return env.forceColor || output.isTTY === true;
}

/** Returns a function that adds colors to text that is already safe. */
export function painter(enabled: boolean): Paint {
  const colors = picocolors.createColors(enabled);
  return (text, style) => (style === undefined ? text : colors[style](text));
}
