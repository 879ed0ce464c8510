import { interpolated, itemsOf, pairsOf, textOf } from '../compose.ts';
import { type Part, type Verdict, verdictOf } from '../part.ts';
import { isHostIn } from './environment.ts';

/** The port that Traefik uses becomes a port of the app. */
export function checkLabels({ kind, made }: Part, value: unknown): Verdict {
  const port = pairsOf(value).find(([name]) =>
    /^traefik\.http\.services\.[^.]+\.loadbalancer\.server\.port$/.test(name),
  )?.[1];
  if (kind !== 'app' || port === undefined || port === null) return 'none';
  return verdictOf(String(made.port) === interpolated(port) ? [] : [`the port is ${made.port} and not ${port}`]);
}

/** The names of a service need an equivalent only if a variable of the file contains them as a host name. */
export function checkNames({ root, references, aliases }: Part, value: unknown): Verdict {
  const services = root.services as Record<string, { environment?: unknown }>;
  const names = itemsOf(value).map((one) => textOf(one).split(':').at(-1) ?? '');
  const own = names.filter((name) => aliases.includes(name));
  const isUsed = Object.values(services).some((one) =>
    pairsOf(one?.environment).some(([, text]) => own.some((name) => isHostIn(text ?? '', name))),
  );
  if (!isUsed) return 'none';
  const known = [...references.hosts.values()].flat();
  return verdictOf(own.filter((name) => !known.includes(name)).map((name) => `${name} has no service`));
}
