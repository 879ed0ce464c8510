/** Finds the reason why the registry does not start in the log of the registry container. */

import type { RegistryProblemCode } from '@davit/api';
import { portTaken } from '../port-taken.ts';
import { REGISTRY_ADDRESS } from '../registry.ts';

/**
 * Error for a registry that cannot be started. The error message is a complete sentence that tells users what to do.
 */
export class RegistryNotServing extends Error {
  override name = 'RegistryNotServing';
  readonly code: RegistryProblemCode;

  constructor(code: RegistryProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

type StartCode = Extract<RegistryProblemCode, 'port_taken' | 'disk_full'>;

/**
 * Patterns for errors in the log of the registry container, with their error codes. The first matching pattern is used.
 */
const PATTERNS: readonly [StartCode, RegExp][] = [
  ['port_taken', /address already in use/i],
  ['disk_full', /no space left on device/i],
];

const SENTENCES: Record<StartCode, (port: number) => string> = {
  port_taken: (port) => portTaken(`${REGISTRY_ADDRESS}:${port}`),
  disk_full: () => 'The registry cannot write because the disk is full. Free some space.',
};

/**
 * Returns the error for a registry that does not respond.
 * @param log last lines of the container's log
 */
export function explainStart(log: string, port: number): RegistryNotServing {
  const code = PATTERNS.find(([, pattern]) => pattern.test(log))?.[0];
  if (code !== undefined) return new RegistryNotServing(code, SENTENCES[code](port));
  const words = wordsOf(log);
  const reason = words === '' ? 'the container printed no error message' : words;
  return new RegistryNotServing(
    'registry_not_serving',
    `The registry does not respond on ${REGISTRY_ADDRESS}:${port} (${reason}). Read the log of its container.`,
  );
}

/**
 * Returns the error message from the last line of the registry container's log. The line is usually JSON. If the
 * registry could not read its configuration, the line is plain text.
 */
function wordsOf(log: string): string {
  const line = log.trim().split('\n').at(-1) ?? '';
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    if (typeof msg === 'string') return msg.slice(0, 300);
  } catch {
    // The log line is not JSON. The registry logs errors in its own configuration as plain text.
  }
  return line.replace(/\.$/, '').slice(0, 300);
}
