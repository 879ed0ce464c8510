/** The settings that databases and object stores have in common, as they are typed, and what is sent of them. */
import { readBytes, writeBytes } from '../app-settings/bytes.ts';
import { typedNumber } from '../app-settings/typed-number.ts';

export interface Limits {
  cpu: number | null;
  memory_bytes: number | null;
}

export interface General {
  description: string | null;
  /** Null: it runs elsewhere, and has none here. */
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
    memory: limits?.memory_bytes == null ? '' : writeBytes(limits.memory_bytes),
  };
}

/** What was typed over what it has now; null: nothing of it is changed. */
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

/** Limits as they are typed; empty: none. What is no number is sent as it is: the instance says what it takes. */
export function limitsOf({ cpu, memory }: Pick<GeneralDraft, 'cpu' | 'memory'>): Limits {
  return {
    cpu: cpu.trim() === '' ? null : typedNumber(cpu),
    memory_bytes: memory.trim() === '' ? null : readBytes(memory),
  };
}

/** What is wrong with an amount of memory, in a sentence; null: it can be sent. */
export function memoryProblem(memory: string): string | null {
  return memory.trim() !== '' && readBytes(memory) === null ? 'Write the memory as «512 MiB» or «1.5 GiB».' : null;
}
