/** What the settings of an app are called, for sentences about what is different. */
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

/** @param path as the server names it, `health.path` */
export function wordsForSetting(path: string): string {
  return WORDS[path] ?? path;
}

/** A setting's value in a sentence. */
export function wordsForValue(value: unknown): string {
  if (value === undefined) return 'not set';
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
