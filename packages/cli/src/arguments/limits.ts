import { byteCount, cores, orNone } from './values.ts';

/** Options for the limits of a database or a store. */
export const LIMITS = {
  cpu: { value: 'cores', description: 'CPU limit in cores, such as 0.5 ("none": no limit)' },
  memory: { value: 'memory', description: 'memory limit, such as 512m ("none": no limit)' },
} as const;

interface Given {
  cpu: string | undefined;
  memory: string | undefined;
}

interface Limits {
  cpu?: number | null;
  memory_bytes?: number | null;
}

/**
 * Returns the given limits as a part of a body, or nothing if there are none.
 * @throws CliError usage
 */
export function limitsPatch({ cpu, memory }: Given): { limits?: Limits } {
  if (cpu === undefined && memory === undefined) return {};
  return {
    limits: {
      ...(cpu !== undefined && { cpu: orNone(cpu, cores) }),
      ...(memory !== undefined && { memory_bytes: orNone(memory, byteCount) }),
    },
  };
}
