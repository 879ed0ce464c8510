export type { GraphErrorDocument } from './graphql-run.ts';
export type { Misbehaviour, Target } from './misbehaviour.ts';
export { GITHUB_TOKEN, GitHub, type GitHubOptions, type GitHubRequest, startGitHub } from './server.ts';
export {
  type NewRelease,
  type NewRepository,
  type SimulatedEntry,
  SimulatedGitHubState,
  type SimulatedRelease,
  type SimulatedRepository,
} from './state.ts';
