import { z } from 'zod';

export const Cpu = z
  .number()
  .min(0.01)
  .max(1_024)
  .nullable()
  .default(null)
  .describe('Maximum number of processor cores. `null`: no limit.');

/**
 * Returns the schema of a memory limit.
 * @param leastMiB minimum in MiB, with which the smallest container of this kind starts
 */
export const memoryBytes = (leastMiB: number) =>
  z
    .int()
    .min(leastMiB * 1024 * 1024)
    .nullable()
    .default(null)
    .describe(
      'Maximum memory in bytes. `null`: all memory of the server, except the part that Davit reserves for the platform.',
    );

/** Minimum memory in MiB of databases and object stores. */
const LEAST_MIB = 64;
const memory_bytes = memoryBytes(LEAST_MIB);

/** Limits of a database or a managed store. */
export const keptLimits = { cpu: Cpu, memory_bytes };

/** Limits in a change. Absent fields are not changed. */
export const keptLimitsChange = z.strictObject({
  cpu: Cpu.unwrap().optional(),
  memory_bytes: memory_bytes.unwrap().optional(),
});
