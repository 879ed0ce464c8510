import type { ImageProblemCode } from '@davit/api';

/**
 * Error for a Docker Engine that does not respond. Read requests then return the last known state. The API refuses
 * deployments with status 503.
 */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}

/**
 * Abort reason for a one-off command. With this reason, the daemon stops waiting, but the container continues to run. A
 * later call with the same container name can wait for the container again.
 */
export class LeftRunning extends Error {
  override name = 'LeftRunning';
}

/**
 * Error for a request that Docker or the Docker adapter refused. The message never contains text from Docker, because
 * users can see the message. The subclass `EngineProblem` keeps Docker's error text for the log.
 */
export class EngineRefused extends Error {
  override name = 'EngineRefused';
}

/**
 * Error for an image pull that the registry refused. The message is Docker's error text, which users must not see. The
 * function `codedImages` replaces this error with an error that users may see.
 */
export class PullRefused extends EngineRefused {
  override name = 'PullRefused';
  readonly code: ImageProblemCode;

  constructor(code: ImageProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Error for an image that does not exist locally or in the registry. The message contains the image name and the
 * response of the registry.
 */
export class ImageNotFound extends EngineRefused {
  override name = 'ImageNotFound';
}
