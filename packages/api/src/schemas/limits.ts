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
 * @param leastMiB minimum memory limit in MiB. With a lower limit, the container could not start
 */
export const memoryBytes = (leastMiB: number) =>
  z
    .int()
    .min(leastMiB * 1024 * 1024)
    .nullable()
    .default(null)
    .describe(
      'Maximum memory in bytes. `null`: all memory of the server, except the part that is reserved for Davit and the system.',
    );

/** Minimum memory limit of databases and object stores in MiB. */
const LEAST_MIB = 64;
const memory_bytes = memoryBytes(LEAST_MIB);

/** CPU and memory limits of a database or managed object store. */
export const keptLimits = { cpu: Cpu, memory_bytes };

/**
 * Changes to the CPU and memory limits of a database or managed object store. If a field is missing, this limit does
 * not change.
 */
export const keptLimitsChange = z.strictObject({
  cpu: Cpu.unwrap().optional(),
  memory_bytes: memory_bytes.unwrap().optional(),
});
