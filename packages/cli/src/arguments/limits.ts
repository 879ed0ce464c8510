import { byteCount, cores, orNone } from './values.ts';

/** What a database or a store is limited to, in a command that makes or changes one. */
export const LIMITS = {
  cpu: { value: 'cores', description: 'such as 0.5; «none»: no limit' },
  memory: { value: 'memory', description: 'such as 512m; «none»: no limit' },
} as const;

interface Given {
  cpu: string | undefined;
  memory: string | undefined;
}

interface Limits {
  cpu?: number | null;
  memory_bytes?: number | null;
}

/** Those that were given, as a part of a body; nothing of them where none was. @throws CliError usage */
export function limitsPatch({ cpu, memory }: Given): { limits?: Limits } {
  if (cpu === undefined && memory === undefined) return {};
  return {
    limits: {
      ...(cpu !== undefined && { cpu: orNone(cpu, cores) }),
      ...(memory !== undefined && { memory_bytes: orNone(memory, byteCount) }),
    },
  };
}
