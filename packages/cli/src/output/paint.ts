import picocolors from 'picocolors';
import type { Environment } from '../process/env.ts';
import type { Output } from '../process/world.ts';

/** How a piece of text looks; what is shown never depends on it. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export type Paint = (text: string, style?: Style) => string;

/** Whether an output is given colours: on a terminal that has them, unless somebody says no. */
export function hasColour(output: Output, env: Environment, noColor: boolean): boolean {
  if (noColor || env.noColor || env.dumbTerminal) return false;
  return env.forceColor || output.isTTY === true;
}

/** Colours are put around text that is safe already. */
export function painter(enabled: boolean): Paint {
  const colors = picocolors.createColors(enabled);
  return (text, style) => (style === undefined ? text : colors[style](text));
}
