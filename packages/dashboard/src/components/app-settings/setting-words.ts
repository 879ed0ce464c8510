/** Names of the app's settings for descriptions of changes. */
const WORDS: Record<string, string> = {
  source: 'Source',
  image: 'Image',
  tag: 'Pinned tag',
  port: 'Port',
  pull: 'Pull',
  command: 'Command',
  args: 'Arguments',
  release_command: 'Release command',
  scale: 'Instances',
  files: 'Files',
  labels: 'Labels',
  'health.path': 'Health: path',
  'health.interval_ms': 'Health: interval in ms',
  'health.timeout_ms': 'Health: timeout in ms',
  'health.grace_s': 'Health: grace in seconds',
  'health.successes': 'Health: successes',
  'stop.signal': 'Stopping: signal',
  'stop.drain_s': 'Stopping: drain in seconds',
  'stop.grace_s': 'Stopping: grace in seconds',
  'limits.cpu': 'CPU',
  'limits.memory_bytes': 'Memory in bytes',
  'limits.pids': 'Processes and threads',
};

/**
 * Returns the name of a setting.
 * @param path path that the server uses, such as `health.path`
 */
export function wordsForSetting(path: string): string {
  return WORDS[path] ?? path;
}

/** Formats the value of a setting for a sentence. */
export function wordsForValue(value: unknown): string {
  if (value === undefined) return 'not set';
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
