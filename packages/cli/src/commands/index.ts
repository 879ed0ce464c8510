import type { Loader } from './loader.ts';
import { APP_COMMANDS } from './of-apps.ts';
import { DATA_COMMANDS } from './of-data.ts';
import { INSTANCE_COMMANDS } from './of-instance.ts';

export type { Loader };

/** What the first word may be when another one follows. */
export const NOUNS: Record<string, string> = {
  project: 'projects, each with its environments',
  environment: 'the environments of a project',
  app: 'apps, and what is done with them',
  env: 'variables of apps, environments and projects',
  domain: 'the hosts of an app',
  volume: 'what apps keep between releases',
  'tcp-port': 'ports of the machine that lead to an app',
  deployment: 'what was deployed',
  release: 'releases of an app',
  revision: 'settings and variables as they were',
  schedule: 'commands at set times',
  runs: 'commands that were run',
  user: 'accounts, for admins',
  key: 'your own API keys',
  audit: 'what was done, and by whom',
  settings: 'the settings of the instance',
  cert: 'certificates',
  'dns-provider': 'where records are written, for wildcard certificates',
  registry: 'the instance’s own registry',
  credential: 'credentials of other registries',
  image: 'images that are held for releases',
  database: 'databases, which apps are given by variables',
  backup: 'backups of databases',
  store: 'object stores, and what is in them',
  task: 'long work that is no deployment',
  template: 'apps to install as they are, and templates of one’s own',
  context: 'the instances that you are signed in to',
};

/** Every command by its words. Each is a file of its own, loaded when it is the one that is meant. */
export const COMMANDS: Record<string, Loader> = { ...APP_COMMANDS, ...INSTANCE_COMMANDS, ...DATA_COMMANDS };

/** What is typed most often goes without its noun. */
export const SHORTCUTS: Record<string, string> = {
  deploy: 'app deploy',
  rollback: 'app rollback',
  logs: 'app logs',
  run: 'app run',
  shell: 'app shell',
};

export function isCommand(path: readonly string[]): boolean {
  const name = path.join(' ');
  return Object.hasOwn(COMMANDS, name) || Object.hasOwn(SHORTCUTS, name);
}
