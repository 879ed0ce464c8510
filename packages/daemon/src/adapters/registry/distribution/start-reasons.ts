/** Why a registry does not serve, from what it wrote. Pure. */

import type { RegistryProblemCode } from '@davit/api';

/** It cannot be started; the message is a whole sentence that says what to do. */
export class RegistryNotServing extends Error {
  override name = 'RegistryNotServing';
  readonly code: RegistryProblemCode;

  constructor(code: RegistryProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

type StartCode = Extract<RegistryProblemCode, 'port_taken' | 'disk_full'>;

/** What the log of its container means. The first pattern that matches decides. */
const PATTERNS: readonly [StartCode, RegExp][] = [
  ['port_taken', /address already in use/i],
  ['disk_full', /no space left on device/i],
];

const SENTENCES: Record<StartCode, (port: number) => string> = {
  port_taken: (port) =>
    `The registry cannot listen on 127.0.0.1:${port}, which another program holds: stop that one, or choose another port with DAVIT_REGISTRY_PORT.`,
  disk_full: () => 'The registry cannot write: the disk is full. Free some room.',
};

/** @param log the last lines of its container */
export function explainStart(log: string, port: number): RegistryNotServing {
  const code = PATTERNS.find(([, pattern]) => pattern.test(log))?.[0];
  if (code !== undefined) return new RegistryNotServing(code, SENTENCES[code](port));
  const words = wordsOf(log);
  const reason = words === '' ? 'it wrote no reason' : words;
  return new RegistryNotServing(
    'registry_not_serving',
    `The registry does not serve on 127.0.0.1:${port} (${reason}): look at the log of its container.`,
  );
}

/** The last line in its own words; what it writes is JSON, a line each, once it has read its configuration. */
function wordsOf(log: string): string {
  const line = log.trim().split('\n').at(-1) ?? '';
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    if (typeof msg === 'string') return msg.slice(0, 300);
  } catch {
    // A complaint about the configuration itself is plain text.
  }
  return line.replace(/\.$/, '').slice(0, 300);
}
