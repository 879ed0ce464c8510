import type { EngineProblemCode } from '@davit/api';
import { EngineRefused } from './errors.ts';

/**
 * Error for a request that Docker refused. The error message is a fixed sentence for each error code, so users can read
 * the message.
 */
export class EngineProblem extends EngineRefused {
  override name = 'EngineProblem';
  readonly code: EngineProblemCode;
  /**
   * Docker's error text, only for the log. The text may contain image names, server paths or responses from private
   * networks.
   */
  readonly words: string;

  /** @param doing the action that failed, for example `create container` */
  constructor(code: EngineProblemCode, doing: string, words: string, options?: ErrorOptions) {
    super(SENTENCES[code](doing), options);
    this.code = code;
    this.words = `${doing}: ${words}`;
  }
}

const SENTENCES: Record<EngineProblemCode, (doing: string) => string> = {
  command_not_found: () =>
    'The command does not exist in the image. Check the command, its path and the working directory of the image.',
  command_not_executable: () =>
    'The command cannot be executed. Check that it is an executable file and that the image is for the CPU architecture of the server.',
  user_not_found: () =>
    'The image specifies a user that does not exist in it. Correct the USER instruction in its Dockerfile.',
  port_taken: () =>
    'Another program on the server uses the port or the address. Choose another port, or stop that program.',
  out_of_memory: () =>
    'The container cannot start because of too little memory. Raise its memory limit, or free memory on the server.',
  disk_full: () => 'The disk for the images and containers of Docker is full. Free some space, then try again.',
  mount_denied: () =>
    'Docker cannot mount a volume or a file into the container. Check the paths of the volumes and files.',
  limits_refused: () =>
    'Docker rejects the CPU and memory limits of the container. Set limits that the server can provide, and at least 6 MiB of memory.',
  memory_in_use: () =>
    'The container uses more memory than the new limit. Restart the app or the database to apply the limit, or set a higher limit.',
  image_not_made: () =>
    'The database image could not be built from the packages of the server’s Linux distribution. Find the reason in the log of the instance.',
  engine_refused: (doing) => `Docker refused a request (${doing}). Find the reason in the log of the instance.`,
};

/**
 * Returns whether Docker refused a lower memory limit, because the running container uses more memory than the new
 * limit.
 */
export function isMemoryInUse(error: unknown): boolean {
  return error instanceof EngineProblem && error.code === 'memory_in_use';
}
