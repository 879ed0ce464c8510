import type { ProblemKind } from './problem-kind.ts';

/** All reasons why Docker refuses a request of the daemon. */
export const ENGINE_PROBLEMS = {
  command_not_found: {
    meaning: 'The image does not contain the command or the working directory.',
    action: 'Check the command, its path and the working directory of the image.',
  },
  command_not_executable: {
    meaning: 'The command cannot be executed: it is not an executable file, or it is for another CPU architecture.',
    action: 'Make the file executable, or build the image for the CPU architecture of the server.',
  },
  user_not_found: {
    meaning: 'The user that the image runs as does not exist in the image.',
    action: 'Correct the instruction `USER` in the Dockerfile of the image.',
  },
  port_taken: {
    meaning: 'Another program on the server already uses the port or the IP address.',
    action: 'Choose another port, or stop the other program.',
  },
  out_of_memory: {
    meaning: 'The free memory of the server or the memory limit is too small to start the container.',
    action: 'Raise the memory limit, or free memory on the server.',
  },
  disk_full: {
    meaning: 'The disk with the data of Docker is full.',
    action: 'Free space on the disk, then try again.',
  },
  mount_denied: {
    meaning: 'Docker cannot mount a volume or a file into the container.',
    action: 'Check the paths of the volumes and files of the app.',
  },
  limits_refused: {
    meaning: 'Docker does not accept the limits of CPU, memory or processes.',
    action: 'Set limits that the server can provide, and at least 6 MiB of memory.',
  },
  memory_in_use: {
    meaning: 'The container uses more memory than its new limit, so Docker cannot lower the limit.',
    action: 'Restart the app or the database to apply the limit, or set a higher limit.',
  },
  image_not_made: {
    meaning: 'The server could not build the image from the packages of its Linux distribution.',
    action: 'Find the reason in the log of the instance.',
  },
  engine_refused: {
    meaning: 'Docker refused the operation for another reason. The log of the instance has the reason.',
    action: 'Find the reason in the log of the instance.',
  },
} as const satisfies Record<string, ProblemKind>;

export type EngineProblemCode = keyof typeof ENGINE_PROBLEMS;

export const ENGINE_PROBLEM_CODES = Object.keys(ENGINE_PROBLEMS) as [EngineProblemCode, ...EngineProblemCode[]];
