import { exactBytes, readByteSize } from '@davit/api';
import { typedNumber } from '../app-settings/typed-number.ts';

export interface Limits {
  cpu: number | null;
  memory_bytes: number | null;
}

export interface General {
  description: string | null;
  /** CPU and memory limits. `null` for a linked object store, because it does not run on this server. */
  limits: Limits | null;
}

export interface GeneralDraft {
  description: string;
  cpu: string;
  memory: string;
}

export interface GeneralPatch {
  description?: string;
  limits?: Partial<Limits>;
}

export function generalOf({ description, limits }: General): GeneralDraft {
  return {
    description: description ?? '',
    cpu: limits?.cpu == null ? '' : String(limits.cpu),
    memory: limits?.memory_bytes == null ? '' : exactBytes(limits.memory_bytes),
  };
}

/** Returns the changed description and limits as a JSON merge patch. Returns `null` if nothing changed. */
export function generalPatch(known: General, draft: Partial<GeneralDraft>): GeneralPatch | null {
  const now = generalOf(known);
  const isChanged = (name: keyof GeneralDraft) => draft[name] !== undefined && draft[name].trim() !== now[name];
  const limits = limitsOf({ ...now, ...draft });
  const patch: GeneralPatch = {
    ...(isChanged('description') && { description: draft.description?.trim() ?? '' }),
    ...((isChanged('cpu') || isChanged('memory')) && {
      limits: {
        ...(isChanged('cpu') && { cpu: limits.cpu }),
        ...(isChanged('memory') && { memory_bytes: limits.memory_bytes }),
      },
    }),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}

/**
 * Parses the limits in the form. An empty field means no limit. An invalid CPU limit stays unchanged, so that the
 * server rejects it.
 */
export function limitsOf({ cpu, memory }: Pick<GeneralDraft, 'cpu' | 'memory'>): Limits {
  return {
    cpu: cpu.trim() === '' ? null : typedNumber(cpu),
    memory_bytes: memory.trim() === '' ? null : readByteSize(memory),
  };
}

/** Returns an error message for an invalid memory limit, or `null` if the limit is valid. */
export function memoryProblem(memory: string): string | null {
  return memory.trim() !== '' && readByteSize(memory) === null ? 'Enter the memory as “512 MiB” or “1.5 GiB”.' : null;
}
