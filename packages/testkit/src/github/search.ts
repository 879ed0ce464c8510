import type { SimulatedGitHubState, SimulatedRepository } from './state.ts';

type Test = (repository: SimulatedRepository) => boolean;

/** Returns the Git repositories that match a GitHub search query, in the order in which the test created them. */
export function matching(state: SimulatedGitHubState, query: string): SimulatedRepository[] {
  const tests = query
    .split(' ')
    .filter((term) => term !== '')
    .map(testOf);
  const found: SimulatedRepository[] = [];
  for (const one of state.all()) {
    if (state.visible(one.id) && tests.every((test) => test(one))) found.push(one);
  }
  return found;
}

function testOf(term: string): Test {
  if (term.startsWith('-')) {
    const test = testOf(term.slice(1));
    return (one) => !test(one);
  }
  const [qualifier, value] = term.split(/:(.*)/s);
  if (value === undefined) return ({ name }) => name.includes(term);
  if (qualifier === 'topic') return ({ topics }) => topics.includes(value);
  if (qualifier === 'created') return createdTest(value);
  throw new Error(`the server knows no qualifier “${term}”`);
}

/**
 * Parses a date filter of a GitHub search. The supported forms are `<=t`, `>=t`, `<t`, `>t`, and `t..t` with both ends
 * included.
 */
function createdTest(value: string): Test {
  const [, operator = '', at = ''] = /^([<>]=?)(.*)$/.exec(value) ?? [];
  const [from = '', to = ''] = value.split('..');
  const time = Date.parse(at);
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return ({ createdAt }) => {
    const created = Date.parse(createdAt);
    if (operator === '') return created >= start && created <= end;
    if (created === time) return operator.endsWith('=');
    return operator.startsWith('<') === created < time;
  };
}
