import type { Logger } from '@davit/service';
import type { KnownRepository, Recorded, SourceRepository } from '../source.ts';
import type { GitHubClient } from './client.ts';
import { GitHubUnavailable } from './failures.ts';
import type { History } from './history.ts';
import { readNodes } from './nodes.ts';
import { LOOK_UP } from './queries.ts';
import { NodesData } from './shapes.ts';

const BATCH = 50;
const WHAT = 'Repository lookup';

export interface Looked {
  id: number;
  repository: SourceRepository | null;
}

interface LookUpContext {
  client: GitHubClient;
  history: History;
  log: Logger;
  recorded: Recorded | undefined;
  signal: AbortSignal;
}

/**
 * Checks Git repositories on GitHub by their node ids. A rename or transfer of a repository does not change its node
 * id.
 */
export async function* lookUp(known: readonly KnownRepository[], context: LookUpContext): AsyncGenerator<Looked> {
  /*
   * A Git repository without a GitHub node id was read from a local folder. Therefore, the repository does not exist on
   * GitHub.
   */
  for (const { id, nodeId } of known) if (nodeId === null) yield { id, repository: null };
  const seen = known.filter(({ nodeId }) => nodeId !== null);
  for (let start = 0; start < seen.length; start += BATCH) yield* batch(seen.slice(start, start + BATCH), context);
}

async function* batch(known: readonly KnownRepository[], context: LookUpContext): AsyncGenerator<Looked> {
  const { client, history, log, recorded, signal } = context;
  const { data, errors } = await client.query(LOOK_UP, { ids: known.map(({ nodeId }) => nodeId) }, WHAT, signal);
  const parsed = NodesData.safeParse(data);
  if (!parsed.success || parsed.data.nodes.length !== known.length) {
    const said = errors[0] ? `“${client.tidy(errors[0].message)}”` : 'no usable data';
    throw new GitHubUnavailable(`${WHAT}: GitHub returned ${said}. The next indexing run tries again.`);
  }
  const answers = readNodes(parsed.data.nodes, errors, ['nodes'], { client, log, what: WHAT });
  for (const [index, { id }] of known.entries()) {
    const answer = answers[index] ?? 'unclear';
    if (answer === 'not-found') yield { id, repository: null };
    else if (answer !== 'unclear' && answer.databaseId === id) {
      yield { id, repository: await history.repository(answer, recorded, signal) };
    }
  }
}
