/** A simulated GitHub with many repositories. Every run creates the same repositories. */
import { type NewRepository, SimulatedGitHubState } from '../../packages/testkit/src/github/github.ts';

const FIRST_DAY = Date.UTC(2021, 0, 1);
const DAY_MS = 86_400_000;
const DAYS = 2_000;
const OWNERS = 500;
/** Topics with which repositories are listed in the catalog. The last entry also has an unrelated topic. */
const TOPICS = [['davit-template'], ['cubeship-template'], ['davit-template', 'cubeship-template', 'self-hosted']];

/**
 * Creates repositories, more in each year than in the previous one. Each has one to three releases, and one in twenty
 * has more releases than one response contains.
 */
export function manyRepositories(count: number): SimulatedGitHubState {
  const state = new SimulatedGitHubState();
  for (let id = 1; id <= count; id += 1) {
    const at = FIRST_DAY + Math.sqrt(id / count) * DAYS * DAY_MS;
    const repository: NewRepository = {
      id,
      owner: `owner-${id % OWNERS}`,
      name: `template-${id}`,
      description: `What template ${id} is for, in a sentence of some length`,
      stars: id % 100,
      topics: TOPICS[id % TOPICS.length] ?? [],
      createdAt: timeOf(at),
    };
    state.add(repository);
    const releases = id % 20 === 0 ? 12 : 1 + (id % 3);
    for (let n = 0; n < releases; n += 1) state.release(id, { createdAt: timeOf(at + (n + 1) * DAY_MS) });
  }
  return state;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
