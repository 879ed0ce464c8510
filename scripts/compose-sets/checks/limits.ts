import { interpolated, itemsOf, textOf } from '../compose.ts';
import { type Part, type Verdict, verdictOf } from '../part.ts';

const UNITS: Record<string, number> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };
const LEAST_CPU = 0.01;
/** Minimum limits of memory, in MiB: a database needs more than an app. */
const LEAST = { app: 6, job: 6, database: 64 };
const MOST_REPLICAS = 100;

export function checkReplicas({ kind, made }: Part, value: unknown): Verdict {
  const wanted = Number(interpolated(textOf(value)));
  const isSingle = itemsOf(made.volumes).length > 0 || itemsOf(made.tcp).length > 0;
  if (kind !== 'app' || !(wanted >= 1) || (isSingle && wanted > 1)) return 'none';
  return verdictOf(
    Number(made.scale ?? 1) === Math.min(wanted, MOST_REPLICAS) ? [] : [`${wanted} became ${made.scale}`],
  );
}

export function checkCpus({ kind, made }: Part, value: unknown): Verdict {
  const wanted = Number(interpolated(textOf(value)));
  if (kind === 'job' || !(wanted > 0)) return 'none';
  const { cpu } = (made.limits ?? {}) as { cpu?: number };
  return verdictOf(cpu === Math.max(wanted, LEAST_CPU) ? [] : [`${wanted} CPUs became ${cpu}`]);
}

export function checkMemory({ kind, made }: Part, value: unknown): Verdict {
  const [, amount, unit = 'b'] = /^([\d.]+)\s*([bkmgt])?i?b?$/i.exec(interpolated(textOf(value))) ?? [];
  if (kind === 'job' || amount === undefined) return 'none';
  const wanted = Math.max((Number(amount) * (UNITS[unit.toLowerCase()] ?? 1)) / 2 ** 20, LEAST[kind]);
  const { memory = '' } = (made.limits ?? {}) as { memory?: string };
  const mebibytes = Number.parseFloat(memory) * (memory.endsWith('Gi') ? 1024 : 1);
  return verdictOf(mebibytes === Math.ceil(wanted) ? [] : [`${textOf(value)} became ${memory}`]);
}
