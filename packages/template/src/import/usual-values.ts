import { at, isValues, listOf, textOf, type Values } from './values.ts';

type Role = 'app' | 'database' | 'job';

const RESTARTS = /^(?:always|unless-stopped|on-failure(?::\d+)?)$/;

/** Returns a note if the value of a Compose key requests Davit's default behavior. Otherwise, returns `null`. */
export function usualValue(key: string, service: Values, role: Role): string | null {
  const value = service[key];
  const text = textOf(value) ?? '';
  switch (key) {
    case 'image':
      return role === 'job' ? 'The job uses the image of its app.' : 'Converted to `image`.';
    case 'command':
    case 'entrypoint':
      return role === 'job' && (text !== '' || Array.isArray(value)) ? 'Converted to the `command` of the job.' : null;
    case 'restart':
      return restartOf(text, role);
    case 'deploy':
      return deployOf(value, role);
    case 'scale':
      return text === '1' ? 'One replica is the default.' : null;
    case 'init':
      return value === true ? 'The instance starts every app with an init process.' : null;
    case 'pull_policy':
      return isUsualPull(text, textOf(service.image) ?? '')
        ? 'The instance pulls images in this way by default.'
        : null;
    case 'expose':
      return role === 'job' ? null : 'All apps of the environment can connect to all ports of the service.';
    case 'depends_on':
      return role === 'database' ? 'Databases run before any app starts.' : 'The order has no effect.';
    case 'env_file':
      return 'The service names no file.';
    default:
      return null;
  }
}

function restartOf(text: string, role: Role): string | null {
  if (role === 'job') return /^(?:no|false)$/.test(text) ? 'A job runs once.' : null;
  return RESTARTS.test(text) ? 'The instance restarts every app and database that stops.' : null;
}

/**
 * Returns a note if `deploy` contains only default values. Otherwise, returns `null`, so that each key in `deploy` gets
 * its own note.
 */
function deployOf(deploy: unknown, role: Role): string | null {
  const { replicas, restart_policy: policy, ...others } = isValues(deploy) ? deploy : {};
  const condition = textOf(at(policy, 'condition')) ?? 'any';
  const isUsual = (textOf(replicas) ?? '1') === '1' && condition !== 'none' && role !== 'job';
  return isUsual && listOf(Object.keys(others)).every((key) => key === 'resources') ? 'This is the default.' : null;
}

/**
 * Returns whether a pull policy equals Davit's behavior. Davit pulls the tag `latest` for each deployment. It pulls any
 * other tag only if the image is missing in Docker.
 */
function isUsualPull(policy: string, image: string): boolean {
  const [, tag = 'latest'] = /:([^/:@]+)$/.exec(image) ?? [];
  return tag === 'latest' ? policy === 'always' : policy === 'missing' || policy === 'if_not_present';
}
