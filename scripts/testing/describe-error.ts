import { inspect } from 'node:util';

/**
 * What was thrown, with its stack, for people. Where the end of something failed too, what a case failed of comes first: what
 * the language throws then says neither.
 */
export function describeError(thrown: unknown): string {
  const [first, ...later] = causes(thrown).map(describeOne);
  return [first, ...later.map((text) => `Then, when what it had opened was closed:\n${text}`)].join('\n\n');
}

/** In the order in which they were thrown. By its properties, since it comes from another process. */
function causes(thrown: unknown): unknown[] {
  if (!(thrown instanceof Error) || thrown.name !== 'SuppressedError') return [thrown];
  const { error, suppressed } = thrown as SuppressedError;
  return [...causes(suppressed), ...causes(error)];
}

function describeOne(thrown: unknown): string {
  if (thrown instanceof Error) return inspect(thrown, { colors: process.stdout.isTTY, depth: 6 });
  return typeof thrown === 'string' ? thrown : inspect(thrown);
}
