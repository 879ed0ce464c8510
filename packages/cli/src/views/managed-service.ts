/** Formats the fields that databases and managed object stores share. */
import { bytes, count } from '@davit/api';
import { minute } from '../output/words.ts';

export function statusOf({ status, deleted }: { status: string; deleted: { expires_at: string } | null }): string {
  return deleted === null ? status : `trash until ${minute(deleted.expires_at)}`;
}

export function taskOf({ task }: { task: number | null }): string | undefined {
  return task === null ? undefined : `${task} (follow the task: davit task follow ${task})`;
}

/** Formats the CPU and memory limits. Returns `undefined` if there are no limits. */
export function limitsOf({
  cpu,
  memory_bytes,
}: {
  cpu: number | null;
  memory_bytes: number | null;
}): string | undefined {
  const limited = [
    ...(cpu === null ? [] : [count(cpu, 'core')]),
    ...(memory_bytes === null ? [] : [bytes(memory_bytes)]),
  ];
  return limited.length === 0 ? undefined : limited.join(', ');
}
