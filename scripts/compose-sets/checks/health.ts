import { interpolated, itemsOf, mappingOf, textOf } from '../compose.ts';
import { type Part, type Verdict, verdictOf } from '../part.ts';
import { declaredPorts } from './ports.ts';

/** Address that `curl` or `wget` requests, with or without a scheme. */
const REQUEST =
  /\b(?:curl|wget)\b[^|;&]*?\s["']?(?:(https?):\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::(\d{1,5}))?(?!:)(\/[^\s"'?#|&;)]*)?["']?/;

export function checkHealth({ service, kind, made }: Part, value: unknown): Verdict {
  const { test, disable } = mappingOf(value);
  const words = itemsOf(test).map((word) => interpolated(textOf(word)));
  if (disable === 'true' || words[0] === 'NONE' || words.length === 0) return 'none';
  if (kind !== 'app') return kind === 'database' ? 'correct' : 'none';
  const [found, scheme, port = '80', path = '/'] = REQUEST.exec(words.join(' ')) ?? [];
  if (found === undefined || scheme === 'https') return 'none';
  const declared = declaredPorts(service.values);
  // Davit checks the port that also receives the requests.
  if (declared.length > 0 && declared[0] !== Number(port)) return 'none';
  const differences = [
    ...(made.port === Number(port) ? [] : [`the port is ${made.port} and not ${port}`]),
    ...(made.health === path ? [] : [`the path is ${made.health} and not ${path}`]),
  ];
  return verdictOf(differences);
}
