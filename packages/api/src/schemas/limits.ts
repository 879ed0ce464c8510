import { z } from 'zod';

export const Cpu = z
  .number()
  .min(0.01)
  .max(1_024)
  .nullable()
  .default(null)
  .describe('Maximum number of processor cores. `null`: no limit.');

/** @param leastMiB what the smallest of its kind starts with */
export const memoryBytes = (leastMiB: number) =>
  z
    .int()
    .min(leastMiB * 1024 * 1024)
    .nullable()
    .default(null)
    .describe(
      'Maximum memory in bytes. `null`: the memory of the server without the part that Davit reserves for itself.',
    );

/** Of what keeps data. */
const LEAST_MIB = 64;
const memory_bytes = memoryBytes(LEAST_MIB);

/** What a database and a managed store are limited to. */
export const keptLimits = { cpu: Cpu, memory_bytes };

/** The same in a change: what is absent stays. */
export const keptLimitsChange = z.strictObject({
  cpu: Cpu.unwrap().optional(),
  memory_bytes: memory_bytes.unwrap().optional(),
});
