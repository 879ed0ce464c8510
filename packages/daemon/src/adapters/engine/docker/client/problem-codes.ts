/**
 * Patterns that map Docker's error texts to error codes. Docker's API has no error codes. Only this file checks error
 * texts.
 */
import type { EngineProblemCode, ImageProblemCode } from '@davit/api';

const PATTERNS: readonly [EngineProblemCode, RegExp][] = [
  ['port_taken', /port is already allocated|address already in use|ports are not available/i],
  ['disk_full', /no space left on device|disk quota exceeded/i],
  /*
   * Docker refuses a memory limit below the current memory use. The first pattern matches the error of cgroup v1, the
   * second pattern that of runc.
   */
  [
    'memory_in_use',
    /memory\.(memsw\.)?limit_in_bytes.*device or resource busy|(unable to set memory|rejecting memory(\+swap)?) limit/i,
  ],
  ['out_of_memory', /cannot allocate memory|out of memory|oom-killed/i],
  ['limits_refused', /^(minimum memory|range of cpus|invalid cpu|memory limit should|.*memoryswap limit)/i],
  ['user_not_found', /no matching entries in (passwd|group) file/i],
  ['mount_denied', /error mounting|error while mounting|invalid mount config|mounts denied|mount source path/i],
  ['command_not_executable', /exec format error|exec:? ".*": permission denied|exec .+: permission denied/i],
  [
    'command_not_found',
    /executable file not found|exec:? ".*": (stat .*: )?(no such file|not a directory)|exec .+: no such file|chdir to cwd|cwd .*(no such file|not a directory)/i,
  ],
];

/** @param words original error text of Docker, without additions by Davit */
export function problemCodeOf(words: string): EngineProblemCode {
  return codeIn(PATTERNS, words) ?? 'engine_refused';
}

/**
 * Error codes of failed image pulls, by text pattern. Docker's error text can contain errors of registries and of the
 * operating system.
 */
const PULLS: readonly [ImageProblemCode, RegExp][] = [
  [
    'image_not_found',
    /manifest.* (not found|unknown)|name unknown|no such image|repository does not exist|: not found$/i,
  ],
  // A reverse proxy in front of a registry responds with 502, 503 or 504 while the registry is down.
  [
    'registry_unreachable',
    /connection refused|connection reset|\bEOF\b|\b50[234] (bad gateway|service unavailable|gateway timeout)/i,
  ],
  ['registry_unauthorized', /unauthorized|authentication required|access denied|no basic auth credentials/i],
];

/** Returns the error code of a failed image pull, or `null` if the text has another cause. */
export function pullProblemCodeOf(words: string): ImageProblemCode | null {
  return codeIn(PULLS, words);
}

/**
 * Docker errors that describe a state, such as a subnet that is already in use. The Docker adapter handles these errors
 * itself.
 */
export type EngineState =
  | 'subnet_taken'
  | 'not_connected'
  | 'already_connected'
  | 'removal_in_progress'
  | 'api_version_refused';

const STATES: Record<EngineState, RegExp> = {
  subnet_taken: /overlap|conflicts with network/i,
  not_connected: /not connected/,
  already_connected: /already exists in network|already attached/,
  removal_in_progress: /already in progress/,
  api_version_refused: /client version .* is too (old|new)/i,
};

/**
 * Returns whether Docker's error text matches the given state. Only pass states that the request can cause.
 * User-defined names in the error text could match other states.
 */
export function saysState(words: string, state: EngineState): boolean {
  return STATES[state].test(words);
}

function codeIn<C extends string>(patterns: readonly [C, RegExp][], words: string): C | null {
  return patterns.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}
