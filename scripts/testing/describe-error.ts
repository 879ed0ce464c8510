import { inspect } from 'node:util';

/**
 * Describes a thrown error with its stack. If closing a resource failed too, the error of the test case comes first,
 * because the message of a `SuppressedError` contains neither.
 */
export function describeError(thrown: unknown): string {
  const [first, ...later] = causes(thrown).map(describeOne);
  return [first, ...later.map((text) => `Then, when what it had opened was closed:\n${text}`)].join('\n\n');
}

/**
 * Returns the errors in the order in which they were thrown. The function recognizes errors by their properties,
 * because the errors come from another process.
 */
function causes(thrown: unknown): unknown[] {
  if (!(thrown instanceof Error) || thrown.name !== 'SuppressedError') return [thrown];
  const { error, suppressed } = thrown as SuppressedError;
  return [...causes(suppressed), ...causes(error)];
}

function describeOne(thrown: unknown): string {
  if (thrown instanceof Error) return inspect(thrown, { colors: process.stdout.isTTY, depth: 6 });
  return typeof thrown === 'string' ? thrown : inspect(thrown);
}
