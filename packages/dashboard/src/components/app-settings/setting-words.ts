const WORDS: Record<string, string> = {
  source: 'Source',
  image: 'Image',
  tag: 'Pinned tag',
  port: 'Port',
  pull: 'Pull',
  command: 'Command',
  args: 'Arguments',
  release_command: 'Release command',
  scale: 'Replicas',
  files: 'Files',
  labels: 'Labels',
  'health.path': 'Health check: path',
  'health.interval_ms': 'Health check: interval in ms',
  'health.timeout_ms': 'Health check: timeout in ms',
  'health.grace_s': 'Health check: start timeout in seconds',
  'health.successes': 'Health check: success threshold',
  'stop.signal': 'Stop signal',
  'stop.drain_s': 'Drain time in seconds',
  'stop.grace_s': 'Stop timeout in seconds',
  'limits.cpu': 'CPU',
  'limits.memory_bytes': 'Memory in bytes',
  'limits.pids': 'Processes and threads',
};

/**
 * Returns the display name of an app's setting.
 * @param path path of the setting in the API, such as `health.path`
 */
export function wordsForSetting(path: string): string {
  return WORDS[path] ?? path;
}

/** Formats the value of an app's setting for a message to the user. */
export function wordsForValue(value: unknown): string {
  if (value === undefined) return 'not set';
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
