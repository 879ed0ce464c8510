import type { ImageProblemCode } from '@davit/api';

/**
 * Error for a Docker Engine that does not respond. After this error, read requests return the last known state, and the
 * API rejects deployments with status 503.
 */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}

/**
 * Abort reason that stops waiting for a one-off command, while the command's container keeps running. A later call with
 * the same container name can wait for the command again.
 */
export class LeftRunning extends Error {
  override name = 'LeftRunning';
}

/**
 * Error for a request that Docker or the Docker adapter refused. Users see the error message, so the message contains
 * no text from Docker.
 */
export class EngineRefused extends Error {
  override name = 'EngineRefused';
}

/**
 * Error for an image pull that the registry refused. The error message is Docker's own text, so users see a fixed
 * message instead.
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
 * Error for an image that exists neither locally nor in the registry. The error message contains the image name and the
 * response of the registry.
 */
export class ImageNotFound extends EngineRefused {
  override name = 'ImageNotFound';
}
