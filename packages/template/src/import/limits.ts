import { readByteSize } from '@davit/api/byte-size.ts';
import type { DraftLimits } from '../draft.ts';
import { LEAST_CPU, LEAST_MEMORY_BYTES, MOST_CPU } from '../rules/amounts.ts';
import type { Teller } from './notes.ts';
import { at, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

/**
 * Returns the CPU and memory limits of a Compose service, which are in `deploy`, or in `cpus` and `mem_limit`. Returns
 * `undefined` if there are no limits.
 * @param least minimum memory limit in bytes, which is higher for a database than for an app
 */
export function limitsOf(
  service: Values,
  variables: Variables,
  report: Teller,
  least = LEAST_MEMORY_BYTES,
): DraftLimits | undefined {
  const limits = at(at(at(service, 'deploy'), 'resources'), 'limits');
  const written = (value: unknown) => variables.plain(textOf(value) ?? '');
  const cpus = written(at(limits, 'cpus') ?? at(service, 'cpus'));
  const memory = written(at(limits, 'memory') ?? at(service, 'mem_limit'));
  const cpusKey = at(limits, 'cpus') === undefined ? 'cpus' : 'deploy.resources.limits.cpus';
  const memoryKey = at(limits, 'memory') === undefined ? 'mem_limit' : 'deploy.resources.limits.memory';
  const cpu = /^\d+(?:\.\d+)?$/.test(cpus) ? Math.min(Math.max(LEAST_CPU, Number(cpus)), MOST_CPU) : undefined;
  const bytes = bytesOf(memory, least);
  if (cpus !== '' && cpu === undefined) report.leftOut(cpusKey, `“${cpus.slice(0, 40)}” is not a number of CPUs.`);
  if (memory !== '' && bytes === null)
    report.leftOut(memoryKey, `“${memory.slice(0, 40)}” is not an amount of memory.`);
  if (cpu === undefined && bytes === null) return undefined;
  if (cpu !== undefined) report.carried(cpusKey, 'Converted to `limits`.');
  if (bytes !== null) report.carried(memoryKey, 'Converted to `limits`.');
  return { ...(cpu !== undefined && { cpu }), ...(bytes !== null && { memory: amount(bytes) }) };
}

/** Converts a size, such as `512m` or `1.5G`, to bytes. Returns at least `least`. Returns `null` for invalid text. */
function bytesOf(text: string, least: number): number | null {
  const bytes = readByteSize(text);
  return bytes === null ? null : Math.min(Math.max(bytes, least), 2 ** 50);
}

function amount(bytes: number): string {
  const [gi, mi] = [bytes / 2 ** 30, bytes / 2 ** 20];
  if (Number.isInteger(gi)) return `${gi}Gi`;
  return `${Math.ceil(mi)}Mi`;
}
