const PROBLEM = 'application/problem+json';

/**
 * Whether who sent this `Accept` wants errors as problem documents: they are named with a weight that nothing we could answer instead exceeds; text that is named too wins a draw.
 */
export function prefersProblem(accept: string): boolean {
  if (!accept.toLowerCase().includes(PROBLEM)) return false;
  const weights = new Map(accept.split(',').map(weight));
  const wish = weights.get(PROBLEM) ?? 0;
  const text = weights.get('text/plain') ?? weights.get('text/*');
  return wish > 0 && (text === undefined ? wish >= (weights.get('*/*') ?? 0) : wish > text);
}

function weight(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [type, Number(q) || 0];
}
