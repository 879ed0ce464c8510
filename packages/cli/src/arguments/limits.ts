import { byteCount, cores, orNone } from './values.ts';

/** Options `--cpu` and `--memory` for the CPU and memory limits of databases and object stores. */
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
 * Converts the options `--cpu` and `--memory` to an object with the field `limits`. Returns `{}` if both options are
 * absent.
 * @throws CliError with exit `usage`
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
