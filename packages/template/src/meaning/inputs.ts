import type { Scope } from './scope.ts';

const SHORTEST_SECRET = 8;

/** Checks that generated secrets are long enough. */
export function checkInputs({ draft: { inputs = [] }, error }: Scope): void {
  for (const [index, { generate }] of inputs.entries()) {
    if (generate === undefined || generate >= SHORTEST_SECRET) continue;
    const message = `A generated secret must have at least ${SHORTEST_SECRET} characters, but has ${generate}.`;
    error('input.generate', ['inputs', index, 'generate'], message, 'Set `generate: 32`.');
  }
}
