/**
 * A simulated GitHub in a separate process. The process sends its address to the parent. On request, the process sends
 * the requests that arrived since the last report.
 */
import { startGitHub } from '../../packages/testkit/src/github/github.ts';
import { manyRepositories } from './many-repositories.ts';

export type GitHubServerMessage =
  | { kind: 'listening'; url: string; token: string }
  | { kind: 'report'; operations: Record<string, number>; mostAtOnce: number };

const github = await startGitHub({ world: manyRepositories(Number(process.argv[2])) });

process.on('message', () => {
  const operations: Record<string, number> = {};
  for (const { operation } of github.requests) {
    const name = operation ?? 'REST';
    operations[name] = (operations[name] ?? 0) + 1;
  }
  sendMessage({ kind: 'report', operations, mostAtOnce: github.mostAtOnce });
  github.forget();
});
process.once('disconnect', () => void github[Symbol.asyncDispose]());
sendMessage({ kind: 'listening', url: github.url, token: github.token });

function sendMessage(message: GitHubServerMessage): void {
  process.send?.(message);
}
