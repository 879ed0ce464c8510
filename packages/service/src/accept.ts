const PROBLEM = 'application/problem+json';

/**
 * Returns whether a client prefers errors as `application/problem+json`. The header `Accept` must contain this type
 * with a higher `q` value than plain text.
 */
export function prefersProblem(accept: string): boolean {
  if (!accept.toLowerCase().includes(PROBLEM)) return false;
  const weights = new Map(accept.split(',').map(weight));
  const wish = weights.get(PROBLEM) ?? 0;
  const text = weights.get('text/plain') ?? weights.get('text/*');
  return wish > 0 && (text === undefined ? wish >= (weights.get('*/*') ?? 0) : wish > text);
}

/**
 * Returns whether a request is for a web page. In the header `Accept`, HTML must have a higher `q` value than plain
 * text, JSON and problem JSON.
 */
export function prefersPage(accept: string): boolean {
  const weights = new Map(accept.split(',').map(weight));
  const wish = weights.get('text/html') ?? 0;
  const others = ['text/plain', 'application/json', PROBLEM].map((type) => weights.get(type) ?? 0);
  return wish > 0 && others.every((other) => wish > other);
}

function weight(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [type, Number(q) || 0];
}
